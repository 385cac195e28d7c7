-- Whose an account is, is known once somebody has proved its address: by a mailed code, by the provider or the directory of an organization to
-- which the domain of the address belongs, or as whoever operates the service says, whose set-up link they hold.
alter table users add column email_verified_at timestamptz;
comment on column users.email_verified_at is 'When somebody proved the address first; null while nobody has, and then nothing of the account outlives the proof.';

-- Of those there are, the ones of which something shows it. All others are nobody's yet, but for whoever came first, by the set-up link.
alter table users no force row level security;
alter table members no force row level security;
alter table sessions no force row level security;
alter table invitations no force row level security;
update users u set email_verified_at = now()
 where exists (select from sessions s where s.user_id = u.id and 'MAIL_CODE' = any (s.amr))
    or exists (select from invitations i where i.email = u.email and i.ended_as = 'ACCEPTED')
    or exists (select from members m where m.user_id = u.id and m.provisioned_by is not null)
    or u.id = (select f.id from users f where f.email not like '%@demo.example' order by f.created_at, f.id limit 1);
alter table users force row level security;
alter table members force row level security;
alter table sessions force row level security;
alter table invitations force row level security;
grant select (email_verified_at, password_is_short), update (email_verified_at) on users to svc_app;

-- A sign-in is ended from one of its sessions, in whichever organization that is; where another of them is, that has to be seen.
create index sessions_by_sign_in on sessions (organization_id, sign_in_id) where sign_in_id is not null;
create index sessions_by_approval on sessions (organization_id, approved_by_sign_in_id) where approved_by_sign_in_id is not null;
alter policy ended_sign_ins_of_the_tenant on ended_sign_ins using (organization_id = svc_organization()
  or exists (select from sessions s where s.organization_id = svc_organization() and s.id = ended_sign_ins.sign_in_id)
  or exists (select from sessions s where s.organization_id = svc_organization() and s.sign_in_id = ended_sign_ins.sign_in_id)
  or exists (select from sessions s where s.organization_id = svc_organization() and s.approved_by_sign_in_id = ended_sign_ins.sign_in_id));

-- What has ended is forgotten, by the role that sees it in every organization. What has not, it cannot remove.
create index mfa_challenges_by_end on mfa_challenges (expires_at);
create index sessions_by_end on sessions (expires_at);
create index invitations_by_end on invitations (coalesce(ended_at, expires_at));
create index second_factors_unconfirmed on second_factors (created_at) where confirmed_at is null;
create policy mfa_challenges_forgotten on mfa_challenges for delete to svc_identity using (expires_at < now());
create policy second_factors_forgotten on second_factors for delete to svc_identity using (confirmed_at is null);
create policy invitations_forgotten on invitations for delete to svc_identity using (coalesce(ended_at, expires_at) < now());
create policy sessions_forgotten on sessions for delete to svc_identity using (expires_at < now());
create policy ended_sign_ins_forgotten on ended_sign_ins for delete to svc_identity using (exists (select from sessions s
  where s.organization_id = ended_sign_ins.organization_id and s.id = ended_sign_ins.session_id and s.expires_at < now()));
create policy sso_sessions_forgotten on sso_sessions for delete to svc_identity using (true);
grant delete on mfa_challenges, second_factors, invitations, sessions, ended_sign_ins, sso_sessions to svc_identity;
