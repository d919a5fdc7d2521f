-- The schema after all migrations. Written by a command: do not edit.

create table access_tokens (
  id uuid not null,
  company_id uuid not null,
  user_id uuid not null,
  token_id uuid not null,
  description text not null,
  mode text not null,
  scopes text not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint access_tokens_pkey PRIMARY KEY (id),
  constraint access_tokens_token_id_key UNIQUE (token_id),
  constraint access_tokens_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint access_tokens_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table applications (
  id uuid not null,
  company_id uuid not null,
  client_id text not null,
  secret_hash bytea not null,
  name text not null,
  description text not null,
  mode text not null,
  scopes text not null,
  token_id uuid,
  token_issued_at timestamp with time zone,
  token_key_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  previous_token_id uuid,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_client_id_key UNIQUE (client_id),
  constraint applications_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint applications_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject text not null,
  company_id uuid,
  ip_address text,
  details text not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);

create table companies (
  id uuid not null,
  name text not null,
  vat_id text not null,
  address_id uuid not null,
  country text not null,
  street text not null,
  city text not null,
  zip_code text not null,
  emails text[] not null default '{}'::text[],
  websites text[] not null default '{}'::text[],
  accreditations text[] not null default '{}'::text[],
  owner_id uuid not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);

create table company_members (
  company_id uuid not null,
  user_id uuid not null,
  role text not null,
  since timestamp with time zone not null,
  constraint company_members_pkey PRIMARY KEY (company_id, user_id),
  constraint company_members_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint company_members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'read_only'::text])))
);

create table company_reviews (
  id uuid not null,
  company_id uuid not null,
  reviewer_id uuid not null,
  reviewer_username text not null,
  decision text not null,
  reason text,
  evidence text not null,
  created_at timestamp with time zone not null,
  constraint company_reviews_pkey PRIMARY KEY (id),
  constraint company_reviews_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_reviews_decision_check CHECK ((decision = ANY (ARRAY['verified'::text, 'rejected'::text])))
);

create table console_sessions (
  cookie_hash bytea not null,
  session_id uuid not null,
  authenticated_at timestamp with time zone,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint console_sessions_pkey PRIMARY KEY (cookie_hash),
  constraint console_sessions_session_id_key UNIQUE (session_id),
  constraint console_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create unlogged table console_sign_ins (
  id_hash bytea not null,
  return_to text not null,
  again boolean not null,
  renewed_session_id uuid,
  vouched_user_id uuid,
  used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint console_sign_ins_pkey PRIMARY KEY (id_hash)
);

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

create table mfa_factors (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  sealed_secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  last_used_at timestamp with time zone,
  failures integer not null default 0,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint mfa_factors_pkey PRIMARY KEY (id),
  constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create unlogged table oidc_records (
  id_hash bytea not null,
  uid_hash bytea,
  grant_hash bytea,
  sealed bytea not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint oidc_records_pkey PRIMARY KEY (id_hash)
);

create table oidc_secrets (
  name text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint oidc_secrets_pkey PRIMARY KEY (name)
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

create table recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  failures integer not null default 0,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
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
  refresh_family_hash bytea not null,
  replaced_token_hash bytea,
  successor_salt bytea,
  refreshed_at timestamp with time zone,
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

create table user_issuers (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint user_issuers_pkey PRIMARY KEY (issuer, subject),
  constraint user_issuers_issuer_user_id_key UNIQUE (issuer, user_id),
  constraint user_issuers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table user_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  new_email text,
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_email'::text, 'confirm_new_email'::text, 'reset_password'::text])))
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
  new_email text,
  sessions_valid_from timestamp with time zone,
  kept_session_id uuid,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

CREATE INDEX access_tokens_company_id_idx ON public.access_tokens USING btree (company_id);

CREATE INDEX applications_company_id_idx ON public.applications USING btree (company_id);

CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (actor, at);

CREATE INDEX audit_log_company_id_idx ON public.audit_log USING btree (company_id, at);

CREATE INDEX companies_owner_id_idx ON public.companies USING btree (owner_id);

CREATE UNIQUE INDEX companies_vat_id_key ON public.companies USING btree (vat_id);

CREATE INDEX company_members_user_id_idx ON public.company_members USING btree (user_id);

CREATE INDEX company_reviews_company_id_idx ON public.company_reviews USING btree (company_id, created_at);

CREATE INDEX console_sign_ins_expires_at_idx ON public.console_sign_ins USING btree (expires_at);

CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);

CREATE INDEX mfa_factors_user_id_idx ON public.mfa_factors USING btree (user_id);

CREATE INDEX oidc_records_expires_at_idx ON public.oidc_records USING btree (expires_at);

CREATE INDEX oidc_records_grant_hash_idx ON public.oidc_records USING btree (grant_hash) WHERE (grant_hash IS NOT NULL);

CREATE INDEX oidc_records_uid_hash_idx ON public.oidc_records USING btree (uid_hash) WHERE (uid_hash IS NOT NULL);

CREATE UNIQUE INDEX outbox_owner_order ON public.outbox USING btree (owner_kind, owner_id, sequence);

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);

CREATE INDEX user_issuers_user_id_idx ON public.user_issuers USING btree (user_id);

CREATE INDEX user_links_user_id_idx ON public.user_links USING btree (user_id);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end
$function$;

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

comment on column applications.secret_hash is 'SHA-256: the secret has 256 random bits';
comment on column applications.scopes is 'JSON: the scope object in the spelling of the catalogue';
comment on column applications.token_id is 'The one valid access token; none after the secret was rotated';
comment on column applications.previous_token_id is 'The token before, good until its own end: other holders of the secret may still use it';

comment on table audit_log is 'Sensitive actions, written in the transaction that does them; rows are never changed or deleted';
comment on column audit_log.details is 'JSON without secrets';

comment on column company_reviews.evidence is 'JSON: what was known of the VAT id when the decision was taken';

comment on table console_sessions is 'The cookie of a session that was opened in a browser';
comment on column console_sessions.authenticated_at is 'When the person last proved who they are; null where the issuer does not say';

comment on table console_sign_ins is 'Browsers on their way to the issuer and back';
comment on column console_sign_ins.id_hash is 'SHA-256 of the cookie, from which state, nonce and PKCE verifier are derived';
comment on column console_sign_ins.vouched_user_id is 'Whom the issuer vouched for, while their own second factor is still asked for';

comment on table idempotency is 'The answer to each call that carried an Idempotency-Key, to give again when the call is repeated.';
comment on column idempotency.key_hash is 'SHA-256 of the key as the client sent it.';
comment on column idempotency.fingerprint is 'SHA-256 of the request: the same key with another request is refused.';
comment on column idempotency.status is 'HTTP status of the answer.';
comment on column idempotency.answer is 'Body of the answer; null where it has none.';

comment on column mfa_factors.last_step is 'The time step of the last accepted code; only later ones are accepted';
comment on column mfa_factors.failures is 'Wrong codes, each within an hour of the one before; the fifth locks the factor for an hour';
comment on column mfa_factors.failed_at is 'The last of them';

comment on table oidc_records is 'Sign-ins in progress at the built-in provider: sessions, interactions, grants, codes. Unlogged: after a crash of the database they begin anew';
comment on column oidc_records.id_hash is 'SHA-256 of the kind and the id, which is what the browser holds';

comment on table oidc_secrets is 'What the built-in provider signs with, and what the console proves itself with; sealed under the master key';

comment on table outbox is 'Events, written in the transaction that changes the state they tell of; pipe delivers them.';
comment on column outbox.id is 'The id that every delivery of this event carries, on every channel and at every retry.';
comment on column outbox.sequence is 'The order of delivery within one owner. Gaps are normal.';
comment on column outbox.payload is 'The message exactly as it is sent, so that a repetition is the same bytes.';

comment on table rate_limits is 'Calls per client in the current window. Unlogged: after a crash of the database everybody starts anew.';
comment on column rate_limits.bucket is 'What is counted together: an endpoint, or a group of them.';

comment on column recovery_codes.failures is 'Counted as those of mfa_factors';

comment on column sessions.refresh_token_hash is 'Of the newest refresh token; an older one that comes back ends the session';
comment on column sessions.refresh_family_hash is 'SHA-256 of what all refresh tokens of the session share: tells a used one from an invented one';
comment on column sessions.replaced_token_hash is 'SHA-256 of the refresh token before the newest';
comment on column sessions.successor_salt is 'What made the newest refresh token out of the one before it; useless without that one';

comment on table signing_keys is 'Ed25519 keys that sign access tokens; the private half is sealed under the master key';

comment on table user_issuers is 'Who a user is at an external issuer; the e-mail address only led to the first meeting';

comment on table user_links is 'One-time links sent by mail; only the SHA-256 of the token is kept';

comment on column users.new_email is 'Takes the place of email once its owner confirmed it';
comment on column users.sessions_valid_from is 'Sessions that began earlier have ended, except the one kept';
