create table certificates (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  identity_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  state text not null check (state in ('accepted', 'running', 'notarized', 'failed')),
  ref_schema_url text not null,
  hash text not null,
  body bytea,
  pdf bytea,
  pdf_hash text,
  transaction_id text,
  recorded_at timestamptz,
  summary text not null,
  error text,
  attempts int not null default 0,
  retained_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (state <> 'notarized' or (transaction_id is not null and recorded_at is not null))
);

comment on column certificates.hash is 'SHA-256 of the canonical JSON, hex';
comment on column certificates.body is 'Byte for byte as received; null once the retention is over';
comment on column certificates.pdf_hash is 'SHA-256 of the PDF; the PDF is kept before it is recorded, and never rendered anew';
comment on column certificates.summary is 'JSON: who sold what to whom, as verifications show it';

-- One notarization per certificate and mode, whoever asks; one that failed may be asked for again.
create unique index certificates_one_notarization on certificates (mode, hash) where state <> 'failed';
create index certificates_company_id_idx on certificates (company_id, mode, id);
create index certificates_retention on certificates (retained_until) where body is not null;
