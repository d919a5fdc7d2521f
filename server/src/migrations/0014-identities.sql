create table identities (
  id uuid primary key,
  wallet_id uuid not null references wallets on delete cascade,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  coin_type integer not null,
  account integer not null,
  change integer not null,
  index integer not null,
  public_key text not null,
  did text not null,
  status text not null check (status in ('valid', 'obsolete')),
  publication_id uuid,
  notarized_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (wallet_id, coin_type, account, change, index),
  unique (mode, public_key)
);

comment on column identities.publication_id is 'The transaction that makes it public, signed before it is sent, so that a crash in between sends the same one again';
comment on column identities.notarized_at is 'Since when it is public; never taken back';

create index identities_company_idx on identities (company_id, mode, id);
create index identities_public_idx on identities (mode, id) where notarized_at is not null;

create table transactions (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  coin_type integer not null,
  type text not null check (type in ('transparent', 'opaque', 'stealth')),
  ledger_id text not null,
  fulfillments text[] not null,
  draft text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (company_id, mode, ledger_id)
);

comment on table transactions is 'What a company signed or sent; the ledger itself is elsewhere';
comment on column transactions.ledger_id is 'Known as soon as it is signed: the id is made of content and signatures';
comment on column transactions.draft is 'The signed transaction, kept from signing to sending where the service does both';

create index transactions_page_idx on transactions (company_id, mode, id);

create table transaction_identities (
  identity_id uuid not null references identities on delete cascade,
  transaction_id uuid not null references transactions on delete cascade,
  primary key (identity_id, transaction_id)
);

create index transaction_identities_transaction_idx on transaction_identities (transaction_id);

alter table identities add foreign key (publication_id) references transactions on delete set null;
