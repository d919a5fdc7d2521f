create table samples (
  kind text primary key check (kind in ('genuine', 'changed', 'withdrawn')),
  pdf bytea not null,
  hash text,
  transaction_id text,
  transactions json not null,
  recorded_at timestamptz,
  created_at timestamptz not null,
  check ((hash is null) = (transaction_id is null))
);
comment on table samples is 'The sample certificates of the home page; all of them are made at once, or none';
comment on column samples.hash is 'Of the notarized JSON; null for the changed one, which is not notarized';
comment on column samples.transactions is 'Signed with a key that nobody has kept, in the order in which the test log records them';
