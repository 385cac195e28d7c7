-- What makes the e-mail address that a provider states the address of a new person.
alter table sso_connections add column email_trust text not null default 'CLAIM';
alter table sso_connections no force row level security;
-- SAML has no claim that an address is verified: the keys of its one provider are pinned, and only verified domains count.
update sso_connections set email_trust = 'VERIFIED_DOMAINS' where kind = 'SAML';
alter table sso_connections force row level security;
alter table sso_connections add constraint sso_connections_email_trust_is_known check (email_trust in ('CLAIM', 'VERIFIED_DOMAINS'));
comment on column sso_connections.email_trust is 'CLAIM: the provider states email_verified. VERIFIED_DOMAINS: an address in a verified domain of the connection counts without that claim.';
