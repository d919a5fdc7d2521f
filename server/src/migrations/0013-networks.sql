create table coin_types (
  id uuid primary key,
  bip44_id integer not null unique check (bip44_id between 0 and 608589380),
  status text not null check (status in ('active', 'inactive')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table ledger_nodes (
  id uuid primary key,
  name text not null,
  coin_type integer not null references coin_types (bip44_id),
  mode text not null check (mode in ('test', 'live')),
  connection_url text not null,
  status text not null check (status in ('active', 'inactive')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

comment on table ledger_nodes is 'Where transactions of a mode and coin type go; inactive ones are still asked for what they hold';
comment on column ledger_nodes.connection_url is '"embedded", or the base URL of a BigchainDB-compatible network';

create unique index ledger_nodes_active_idx on ledger_nodes (mode, coin_type) where status = 'active';

insert into coin_types (id, bip44_id, status, created_at, updated_at)
values ('01990000-0000-7000-8000-000000000822', 822, 'active', now(), now());

insert into ledger_nodes (id, name, coin_type, mode, connection_url, status, created_at, updated_at)
values
  ('01990000-0000-7000-8000-00000000ed01', 'Embedded ledger, test', 822, 'test', 'embedded', 'active', now(), now()),
  ('01990000-0000-7000-8000-00000000ed02', 'Embedded ledger, live', 822, 'live', 'embedded', 'active', now(), now());
