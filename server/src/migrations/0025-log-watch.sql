create table log_watches (
  mode text primary key check (mode in ('test', 'live')),
  next_index bigint not null
);
comment on table log_watches is 'How far each log was searched for entries that name somebody';

create table log_mentions (
  position bigint generated always as identity primary key,
  mode text not null check (mode in ('test', 'live')),
  subject text not null,
  kind text not null check (kind in ('certificate', 'identity', 'review', 'correction')),
  transaction_id bytea not null
);
create index log_mentions_subject on log_mentions (mode, subject, position);
comment on table log_mentions is 'Which entries of the logs name a DID or a VAT id. Follows from the entries';
