-- What waits for a channel is told by the rights that whoever vouches for it has when it is posted, and a post counts for its own lease alone.
alter table channel_messages add column workspace_id text;
comment on column channel_messages.workspace_id is 'The workspace that it is about; null of the whole organization, and of a test.';
comment on column channel_messages.subject_id is 'What it is about; null of a test, and of what is left to be told as a number since the rest was told.';
comment on column channel_messages.gathered is 'How many it stands for and that are not told yet: more than one where too many waited already.';
comment on column notification_channels.vouched_by is
  'Who made it, put it back or last said what is sent and to where: nothing is posted that this person or key may not read at that moment.';
comment on column notification_channels.leased_by is 'The lease under which a worker posts to it until leased_until: another word with each.';
