create table applications (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  client_id text not null unique,
  secret_hash bytea not null,
  name text not null,
  description text not null,
  mode text not null check (mode in ('test', 'live')),
  scopes text not null,
  token_id uuid,
  token_issued_at timestamptz,
  token_key_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

comment on column applications.secret_hash is 'SHA-256: the secret has 256 random bits';
comment on column applications.scopes is 'JSON: the scope object in the spelling of the catalogue';
comment on column applications.token_id is 'The one valid access token; none after the secret was rotated';

create index applications_company_id_idx on applications (company_id);

create table access_tokens (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  user_id uuid not null references users on delete cascade,
  token_id uuid not null unique,
  description text not null,
  mode text not null check (mode in ('test', 'live')),
  scopes text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index access_tokens_company_id_idx on access_tokens (company_id);
