create table wallets (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  name text not null,
  language text not null,
  sealed_root bytea,
  backed_up_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (company_id, mode)
);

comment on column wallets.sealed_root is 'Seed, and the words until they were backed up, sealed by the vault for this row; none once the wallet was wiped';
