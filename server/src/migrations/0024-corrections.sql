-- Reviews on the log name the hash of their evidence, so they stay when the company is deleted.
alter table company_reviews drop constraint company_reviews_company_id_fkey;
alter table company_reviews add column company_name text;
update company_reviews r set company_name = c.name from companies c where c.id = r.company_id;
alter table company_reviews alter column company_name set not null;
comment on column company_reviews.company_name is 'When it was reviewed';
comment on column company_reviews.evidence is 'JSON: what was known about the VAT id at the decision; the log has its hash';

-- Without references: what the log says about a certificate does not depend on what is deleted here.
create table log_reviews (
  mode text not null check (mode in ('test', 'live')),
  public_key text not null,
  log text not null,
  review_id uuid not null,
  publication_id text not null,
  transaction_id text not null,
  recorded_at timestamptz not null,
  primary key (mode, public_key, log, review_id)
);
comment on table log_reviews is 'Reviews of companies that a log has recorded, one per published identity';
comment on column log_reviews.log is 'The origin of the log';
comment on column log_reviews.publication_id is 'The transaction that published the identity';

alter table identities drop constraint identities_status_check;
alter table identities add constraint identities_status_check check (status in ('valid', 'obsolete', 'revoked'));
alter table identities add column revoked_since timestamptz;
alter table identities add constraint identities_revoked_check check ((status = 'revoked') = (revoked_since is not null));

create table key_revocations (
  identity_id uuid primary key references identities on delete cascade,
  transaction text not null,
  transaction_id text not null,
  recorded_at timestamptz,
  created_at timestamptz not null
);
comment on column key_revocations.transaction is 'Signed before it is sent, so that every attempt sends the same one';
comment on column key_revocations.recorded_at is 'Null until the ledger has recorded it';

create table certificate_corrections (
  id uuid primary key,
  certificate_id uuid not null references certificates on delete cascade,
  action text not null check (action in ('withdraw', 'replace')),
  replaced_by uuid references certificates on delete cascade,
  reason text not null,
  made_by text not null check (made_by in ('issuer', 'operator')),
  transaction_id text,
  recorded_at timestamptz,
  created_at timestamptz not null,
  check ((action = 'replace') = (replaced_by is not null)),
  check ((transaction_id is null) = (recorded_at is null)),
  unique nulls not distinct (certificate_id, action, replaced_by)
);
comment on column certificate_corrections.transaction_id is 'Null until the ledger has recorded it; every attempt builds the same transaction';

alter table certificates add column receiver_ids uuid[] not null default '{}';
comment on column certificates.receiver_ids is 'The companies that were told of the certificate; corrections are reported to them after its body is erased';
