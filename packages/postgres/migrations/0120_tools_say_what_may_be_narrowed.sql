-- What of its parameters an approver may narrow is for the tool to say: of a number nobody else can tell whether it is a measure or a name.
alter table tools add column narrowable text[] not null default '{}';
comment on column tools.narrowable is 'JSON Pointers into the parameters; an approver may narrow what they name and what lies below.';
