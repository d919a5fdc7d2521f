-- The schema after all migrations. Written by a command: do not edit.

create table idempotency (
  principal text not null,
  operation text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status integer,
  answer bytea,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_pkey PRIMARY KEY (principal, operation, key_hash)
);

create table migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table outbox (
  id uuid not null,
  sequence bigint not null generated always as identity,
  owner_kind text not null,
  owner_id uuid not null,
  mode text not null,
  resource text not null,
  action text not null,
  payload bytea not null,
  occurred_at timestamp with time zone not null,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint outbox_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['user'::text, 'company'::text])))
);

create unlogged table rate_limits (
  client text not null,
  bucket text not null,
  window_start timestamp with time zone not null,
  calls integer not null,
  constraint rate_limits_pkey PRIMARY KEY (client, bucket)
);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  access_token_id uuid not null,
  refresh_token_hash bytea not null,
  ip_address text not null,
  device text not null,
  logged_in_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_refresh_token_hash_key UNIQUE (refresh_token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table signing_keys (
  id text not null,
  public_jwk text not null,
  sealed_private_jwk bytea not null,
  created_at timestamp with time zone not null,
  constraint signing_keys_pkey PRIMARY KEY (id)
);

create table user_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_email'::text, 'reset_password'::text])))
);

create table users (
  id uuid not null,
  username text not null,
  email text not null,
  password_hash text not null,
  role text not null default 'USER'::text,
  status text not null default 'active'::text,
  email_confirmed_at timestamp with time zone,
  on_boarded boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);

CREATE UNIQUE INDEX outbox_owner_order ON public.outbox USING btree (owner_kind, owner_id, sequence);

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);

CREATE INDEX user_links_user_id_idx ON public.user_links USING btree (user_id);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));

comment on table idempotency is 'The answer to each call that carried an Idempotency-Key, to give again when the call is repeated.';
comment on column idempotency.key_hash is 'SHA-256 of the key as the client sent it.';
comment on column idempotency.fingerprint is 'SHA-256 of the request: the same key with another request is refused.';
comment on column idempotency.status is 'HTTP status of the answer; null while the first call still runs.';
comment on column idempotency.answer is 'Body of the answer; null where it has none.';

comment on table outbox is 'Events, written in the transaction that changes the state they tell of; pipe delivers them.';
comment on column outbox.id is 'The id that every delivery of this event carries, on every channel and at every retry.';
comment on column outbox.sequence is 'The order of delivery within one owner. Gaps are normal.';
comment on column outbox.payload is 'The message exactly as it is sent, so that a repetition is the same bytes.';

comment on table rate_limits is 'Calls per client in the current window. Unlogged: after a crash of the database everybody starts anew.';
comment on column rate_limits.bucket is 'What is counted together: an endpoint, or a group of them.';

comment on table signing_keys is 'Ed25519 keys that sign access tokens; the private half is sealed under the master key';

comment on table user_links is 'One-time links sent by mail; only the SHA-256 of the token is kept';
