create table companies (
  id uuid primary key,
  name text not null,
  vat_id text not null,
  address_id uuid not null,
  country text not null,
  street text not null,
  city text not null,
  zip_code text not null,
  emails text[] not null default '{}',
  websites text[] not null default '{}',
  accreditations text[] not null default '{}',
  owner_id uuid not null references users,
  verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index companies_vat_id_key on companies (vat_id);
create index companies_owner_id_idx on companies (owner_id);

create table company_members (
  company_id uuid not null references companies on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('admin', 'operator', 'read_only')),
  since timestamptz not null,
  primary key (company_id, user_id)
);

create index company_members_user_id_idx on company_members (user_id);

create table company_reviews (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  reviewer_id uuid not null,
  reviewer_username text not null,
  decision text not null check (decision in ('verified', 'rejected')),
  reason text,
  evidence text not null,
  created_at timestamptz not null
);

comment on column company_reviews.evidence is 'JSON: what was known of the VAT id when the decision was taken';

create index company_reviews_company_id_idx on company_reviews (company_id, created_at);
