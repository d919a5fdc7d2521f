-- How far the erasing of old data has come: a clock that is wrong must not erase everything at once.

create table retention_times (
  kind text primary key,
  time timestamptz not null
);
comment on table retention_times is 'How far each scheduled erasing of old data has come; a run comes at most two hours further';
