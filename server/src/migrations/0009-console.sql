-- Signing in through OpenID: the built-in provider, an external issuer, and the console's session in this server.

create table oidc_secrets (
  name text primary key,
  sealed bytea not null,
  created_at timestamptz not null
);

comment on table oidc_secrets is 'What the built-in provider signs with, and what the console proves itself with; sealed under the master key';

create unlogged table oidc_records (
  id_hash bytea primary key,
  uid_hash bytea,
  grant_hash bytea,
  sealed bytea not null,
  consumed_at timestamptz,
  expires_at timestamptz not null
);

comment on table oidc_records is 'Sign-ins in progress at the built-in provider: sessions, interactions, grants, codes. Unlogged: after a crash of the database they begin anew';
comment on column oidc_records.id_hash is 'SHA-256 of the kind and the id, which is what the browser holds';

create index oidc_records_uid_hash_idx on oidc_records (uid_hash) where uid_hash is not null;
create index oidc_records_grant_hash_idx on oidc_records (grant_hash) where grant_hash is not null;
create index oidc_records_expires_at_idx on oidc_records (expires_at);

create unlogged table console_sign_ins (
  id_hash bytea primary key,
  return_to text not null,
  again boolean not null,
  renewed_session_id uuid,
  vouched_user_id uuid,
  used_at timestamptz,
  expires_at timestamptz not null
);

comment on table console_sign_ins is 'Browsers on their way to the issuer and back';
comment on column console_sign_ins.id_hash is 'SHA-256 of the cookie, from which state, nonce and PKCE verifier are derived';
comment on column console_sign_ins.vouched_user_id is 'Whom the issuer vouched for, while their own second factor is still asked for';

create index console_sign_ins_expires_at_idx on console_sign_ins (expires_at);

create table console_sessions (
  cookie_hash bytea primary key,
  session_id uuid not null unique references sessions on delete cascade,
  authenticated_at timestamptz,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);

comment on table console_sessions is 'The cookie of a session that was opened in a browser';
comment on column console_sessions.authenticated_at is 'When the person last proved who they are; null where the issuer does not say';

create table user_issuers (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (issuer, user_id)
);

comment on table user_issuers is 'Who a user is at an external issuer; the e-mail address only led to the first meeting';

create index user_issuers_user_id_idx on user_issuers (user_id);
