create table customers (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  name text not null,
  vat_id text,
  emails text[] not null,
  street text,
  zip_code text,
  city text,
  country text,
  language text,
  words text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table customers is 'The customers that a company keeps for its certificates: personal data, deleted on request';
comment on column customers.words is 'What a search by text finds';
comment on column customers.language is 'Of its certificates, ISO 639-1';

create index customers_name on customers (company_id, sort_key(name) collate "C", id);
