-- A token counts for as long as whoever made it may set single sign-on up; of one that was made before, nobody knows who that is.
alter table scim_settings add column token_created_by text references users (id);
comment on column scim_settings.token_created_by is 'Who made the token: it opens nothing once they are gone, or may not make one any more.';
grant select (token_created_by) on scim_settings to svc_identity;
