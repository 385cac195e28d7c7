-- What waits for a channel is compared with what the channel is for when it is posted, its place included.
alter table channel_messages add column environment_id text;
comment on column channel_messages.environment_id is 'Where it came up; of what came up elsewhere in its workspace another message is told.';
-- What waits was left for channels as they stand.
update channel_messages m set environment_id = c.environment_id from notification_channels c where c.id = m.channel_id;

-- It says now where it came up, so whoever is limited to a place sees what came up there.
select svc_guard('channel_messages'::regclass, array['svc_app']);
