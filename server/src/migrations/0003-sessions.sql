create table signing_keys (
  id text primary key,
  public_jwk text not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null
);

comment on table signing_keys is 'Ed25519 keys that sign access tokens; the private half is sealed under the master key';

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  access_token_id uuid not null,
  refresh_token_hash bytea not null unique,
  ip_address text not null,
  device text not null,
  logged_in_at timestamptz not null,
  expires_at timestamptz not null
);

create index sessions_user_id_idx on sessions (user_id);
