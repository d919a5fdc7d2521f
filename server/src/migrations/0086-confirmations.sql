create table ledger_confirmations (
  mode text not null,
  size bigint not null,
  confirmed_at timestamptz not null,
  confirmed_by text[] not null,
  primary key (mode, size)
);
comment on table ledger_confirmations is 'How many entries of a log a quorum of cosigners had confirmed, and when: an entry is confirmed by the first row with more entries than its index';
comment on column ledger_confirmations.confirmed_by is 'The names of the keys that had signed the checkpoint with so many entries';
