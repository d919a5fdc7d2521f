alter table applications add column last_used_at timestamptz;
comment on column applications.last_used_at is 'When it last made a call, to the hour';
