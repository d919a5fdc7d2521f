create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  last_used_at timestamptz,
  created_at timestamptz not null
);
create index passkeys_user_id_idx on passkeys (user_id);
comment on column passkeys.counter is 'Signatures so far, by the authenticator itself; 0 if it does not count';
comment on column passkeys.backed_up is 'Whether the provider of the passkey keeps a copy';

create unlogged table passkey_challenges (
  purpose text not null check (purpose in ('create', 'sign_in')),
  bound_to text not null,
  challenge_hash bytea not null,
  expires_at timestamptz not null,
  primary key (purpose, bound_to)
);
comment on column passkey_challenges.bound_to is 'SHA-256 of the session that creates a passkey, or of the sign-in that uses one';
