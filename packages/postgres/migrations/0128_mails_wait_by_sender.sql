-- The next mails of each sender in turn are found by the sender, however many wait of another.
drop index mails_waiting_of_sender;
create index mails_waiting_of_sender on mails (organization_id, sender_key, due_at) where state = 'WAITING';
-- A change that takes back what a mail tells of, such as an invitation, drops the mail with it.
grant select (recipient_key, template, attempts, failure), update (state, sealed, failure, ended_at) on mails to svc_app;
