create table ledger_logs (
  mode text primary key check (mode in ('test', 'live')),
  origin text not null,
  public_key bytea not null check (length(public_key) = 32),
  sealed_key bytea not null,
  created_at timestamptz not null
);

comment on table ledger_logs is 'Who each embedded log is: the name and the key it signs checkpoints with';

create table ledger_blocks (
  mode text not null,
  height bigint not null,
  first_index bigint not null,
  entry_count integer not null check (entry_count > 0),
  committed_at timestamptz not null,
  primary key (mode, height)
);

create table ledger_entries (
  mode text not null,
  index bigint not null,
  height bigint not null,
  id bytea not null,
  bundle_offset integer not null,
  bundle_bytes integer not null,
  operation text not null,
  asset_id bytea not null,
  json_hash bytea,
  pdf_hash bytea,
  asset_words text[] not null,
  metadata_words text[] not null,
  primary key (mode, index)
);

create unique index ledger_entries_id on ledger_entries (id, mode);
create unique index ledger_entries_json_hash on ledger_entries (json_hash, mode) where json_hash is not null;
create index ledger_entries_pdf_hash on ledger_entries (pdf_hash, mode, index) where pdf_hash is not null;
create index ledger_entries_transfers on ledger_entries (asset_id, mode, index) where operation = 'TRANSFER';
create index ledger_entries_asset_words on ledger_entries using gin (asset_words);
create index ledger_entries_metadata_words on ledger_entries using gin (metadata_words);

comment on table ledger_entries is 'What the log is searched by. Says nothing of its own: it follows from the entries on disk and is rebuilt from them';

create table ledger_outputs (
  mode text not null,
  index bigint not null,
  output_index integer not null,
  public_keys text[] not null,
  spent_by bigint,
  primary key (mode, index, output_index)
);

create index ledger_outputs_public_keys on ledger_outputs using gin (public_keys);
create index ledger_outputs_spent_by on ledger_outputs (mode, spent_by) where spent_by is not null;

comment on column ledger_outputs.spent_by is 'Index of the entry that spent it';

create table ledger_submissions (
  id uuid primary key,
  mode text not null,
  transaction bytea not null,
  created_at timestamptz not null,
  outcome jsonb
);

create index ledger_submissions_waiting on ledger_submissions (mode, created_at) where outcome is null;

comment on table ledger_submissions is 'Handed to the process that writes the log by those that do not';
