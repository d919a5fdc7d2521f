-- The schema after all migrations. Written by a command: do not edit.

create sequence event_positions as bigint increment 1 start 1;

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
  last_used_at timestamp with time zone,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_client_id_key UNIQUE (client_id),
  constraint applications_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint applications_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table audit_archives (
  "position" bigint not null,
  hash bytea not null,
  chained_at timestamp with time zone not null,
  entries bigint not null,
  transaction_id text not null,
  archived_at timestamp with time zone not null,
  constraint audit_archives_pkey PRIMARY KEY ("position")
);

create table audit_chain (
  "position" bigint not null,
  entry_id uuid not null,
  entry_hash bytea not null,
  chained_at timestamp with time zone not null,
  hash bytea not null,
  constraint audit_chain_pkey PRIMARY KEY ("position"),
  constraint audit_chain_entry_id_key UNIQUE (entry_id)
);

create table audit_heads (
  "position" bigint not null,
  hash bytea not null,
  transaction_id text not null,
  recorded_at timestamp with time zone not null,
  constraint audit_heads_pkey PRIMARY KEY ("position")
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

create table audit_waiting (
  entry_id uuid not null
);

create table broker_messages (
  id uuid not null,
  sequence bigint not null generated always as identity,
  topic text not null,
  payload bytea not null,
  published_at timestamp with time zone not null,
  "position" bigint,
  constraint broker_messages_pkey PRIMARY KEY (id),
  constraint broker_messages_position_key UNIQUE ("position")
);

create table broker_queue (
  session_id bigint not null,
  place bigint not null,
  constraint broker_queue_pkey PRIMARY KEY (session_id, place)
);

create table broker_sessions (
  id bigint not null generated always as identity,
  owner_kind text not null,
  owner_id uuid not null,
  client_id text not null,
  hears text[] not null,
  disconnected_at timestamp with time zone,
  sent_up_to bigint not null default 0,
  constraint broker_sessions_pkey PRIMARY KEY (id),
  constraint broker_sessions_owner_kind_owner_id_client_id_key UNIQUE (owner_kind, owner_id, client_id),
  constraint broker_sessions_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['user'::text, 'company'::text])))
);

create table broker_subscriptions (
  session_id bigint not null,
  filter text not null,
  qos smallint not null,
  constraint broker_subscriptions_pkey PRIMARY KEY (session_id, filter),
  constraint broker_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES broker_sessions(id) ON DELETE CASCADE
);

create table broker_vhost (
  only_one boolean not null default true,
  name text not null,
  constraint broker_vhost_pkey PRIMARY KEY (only_one),
  constraint broker_vhost_only_one_check CHECK (only_one)
);

create table certificate_corrections (
  id uuid not null,
  certificate_id uuid not null,
  action text not null,
  replaced_by uuid,
  reason text not null,
  made_by text not null,
  transaction_id text,
  recorded_at timestamp with time zone,
  created_at timestamp with time zone not null,
  wanted_by text,
  ip_address text,
  error text,
  reasons text,
  constraint certificate_corrections_pkey PRIMARY KEY (id),
  constraint certificate_corrections_certificate_id_action_replaced_by_key UNIQUE NULLS NOT DISTINCT (certificate_id, action, replaced_by),
  constraint certificate_corrections_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE CASCADE,
  constraint certificate_corrections_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES certificates(id) ON DELETE CASCADE,
  constraint certificate_corrections_action_check CHECK ((action = ANY (ARRAY['withdraw'::text, 'replace'::text]))),
  constraint certificate_corrections_check CHECK (((action = 'replace'::text) = (replaced_by IS NOT NULL))),
  constraint certificate_corrections_check1 CHECK (((transaction_id IS NULL) = (recorded_at IS NULL))),
  constraint certificate_corrections_made_by_check CHECK ((made_by = ANY (ARRAY['issuer'::text, 'operator'::text])))
);

create table certificate_links (
  token_hash bytea not null,
  certificate_id uuid not null,
  created_at timestamp with time zone not null,
  constraint certificate_links_pkey PRIMARY KEY (token_hash),
  constraint certificate_links_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE CASCADE
);

create table certificate_quotas (
  company_id uuid not null,
  day date not null,
  accepted integer not null,
  slot smallint not null default 0,
  constraint certificate_quotas_pkey PRIMARY KEY (company_id, day, slot),
  constraint certificate_quotas_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table certificate_receivers (
  certificate_id uuid not null,
  company_id uuid not null,
  mode text not null,
  identity_id uuid not null,
  family text not null,
  recorded_at timestamp with time zone not null,
  number text not null default '~'::text,
  party text not null default '~'::text,
  constraint certificate_receivers_pkey PRIMARY KEY (certificate_id, company_id),
  constraint certificate_receivers_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE CASCADE,
  constraint certificate_receivers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint certificate_receivers_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table certificate_texts (
  certificate_id uuid not null,
  company_id uuid not null,
  mode text not null,
  place bigint not null generated always as identity,
  words text not null,
  constraint certificate_texts_pkey PRIMARY KEY (certificate_id),
  constraint certificate_texts_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE CASCADE,
  constraint certificate_texts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table certificates (
  id uuid not null,
  company_id uuid not null,
  identity_id uuid not null,
  mode text not null,
  state text not null,
  ref_schema_url text not null,
  hash text not null,
  body bytea,
  pdf bytea,
  pdf_hash text,
  transaction_id text,
  recorded_at timestamp with time zone,
  summary text not null,
  error text,
  attempts integer not null default 0,
  retained_until timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  family text not null,
  accepted_by text,
  rendered_at timestamp with time zone,
  ended_at timestamp with time zone,
  reasons text,
  own boolean not null default false,
  awaits_release boolean not null default false,
  release text,
  release_by text,
  release_at timestamp with time zone,
  replaces uuid,
  awaits_entry bigint,
  seal text,
  constraint certificates_pkey PRIMARY KEY (id),
  constraint certificates_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint certificates_check CHECK (((state <> 'notarized'::text) OR ((transaction_id IS NOT NULL) AND (recorded_at IS NOT NULL)))),
  constraint certificates_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint certificates_release_check CHECK ((release = ANY (ARRAY['released'::text, 'refused'::text]))),
  constraint certificates_state_check CHECK ((state = ANY (ARRAY['accepted'::text, 'running'::text, 'notarized'::text, 'failed'::text])))
);

create table coin_types (
  id uuid not null,
  bip44_id integer not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint coin_types_pkey PRIMARY KEY (id),
  constraint coin_types_bip44_id_key UNIQUE (bip44_id),
  constraint coin_types_bip44_id_check CHECK (((bip44_id >= 0) AND (bip44_id <= 608589380))),
  constraint coin_types_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

create table common_grams (
  direction text not null,
  company_id uuid not null,
  mode text not null,
  block bigint not null,
  gram text not null,
  places bit(4096) not null,
  constraint common_grams_pkey PRIMARY KEY (company_id, mode, direction, block, gram),
  constraint common_grams_direction_check CHECK ((direction = ANY (ARRAY['issued'::text, 'received'::text]))),
  constraint common_grams_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
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
  on_findings text not null default 'accept'::text,
  name_key text not null default ''::text,
  four_eyes text not null default 'off'::text,
  constraint companies_pkey PRIMARY KEY (id),
  constraint companies_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint companies_four_eyes_check CHECK ((four_eyes = ANY (ARRAY['off'::text, 'people'::text, 'everyone'::text]))),
  constraint companies_on_findings_check CHECK ((on_findings = ANY (ARRAY['accept'::text, 'refuse'::text])))
);

create table company_looks (
  company_id uuid not null,
  receiver text not null default ''::text,
  settings text not null default '{}'::text,
  logo_type text,
  logo bytea,
  updated_at timestamp with time zone not null,
  constraint company_looks_pkey PRIMARY KEY (company_id, receiver),
  constraint company_looks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_looks_check CHECK (((logo IS NULL) = (logo_type IS NULL))),
  constraint company_looks_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])))
);

create table company_mails (
  id uuid not null,
  company_id uuid not null,
  mode text not null,
  kind text not null,
  about text not null,
  address text not null,
  held_back text,
  refusal text,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null,
  again integer not null default 0,
  is_saved boolean not null default false,
  constraint company_mails_pkey PRIMARY KEY (id),
  constraint company_mails_company_id_kind_about_address_again_key UNIQUE (company_id, kind, about, address, again),
  constraint company_mails_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_mails_check CHECK (((held_back IS NULL) OR (sent_at IS NULL))),
  constraint company_mails_held_back_check CHECK ((held_back = ANY (ARRAY['test_mode'::text, 'unreviewed'::text, 'unsubscribed'::text, 'bounced'::text, 'quota'::text]))),
  constraint company_mails_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table company_members (
  company_id uuid not null,
  user_id uuid not null,
  role text not null,
  since timestamp with time zone not null,
  is_added boolean not null default false,
  duty text,
  constraint company_members_pkey PRIMARY KEY (company_id, user_id),
  constraint company_members_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint company_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint company_members_duty_check CHECK ((duty = ANY (ARRAY['clerk'::text, 'approver'::text]))),
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
  company_name text not null,
  since timestamp with time zone,
  revoke_keys boolean not null default false,
  name_key text not null default ''::text,
  constraint company_reviews_pkey PRIMARY KEY (id),
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

create table customers (
  id uuid not null,
  company_id uuid not null,
  name text not null,
  vat_id text,
  emails text[] not null,
  street text,
  zip_code text,
  city text,
  country text,
  language text,
  words text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table daily_quotas (
  company_id uuid not null,
  day date not null,
  counted text not null,
  slot smallint not null,
  used integer not null,
  is_refused boolean not null default false,
  constraint daily_quotas_pkey PRIMARY KEY (company_id, day, counted, slot)
);

create table delivery_quotas (
  company_id uuid not null,
  day date not null,
  admitted integer not null,
  constraint delivery_quotas_pkey PRIMARY KEY (company_id, day)
);

create table foreign_name_mails (
  company_id uuid not null,
  mode text not null,
  mailed_on date not null,
  constraint foreign_name_mails_pkey PRIMARY KEY (company_id, mode, mailed_on),
  constraint foreign_name_mails_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table hook_attempts (
  id uuid not null,
  record_id uuid not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  answer bytea,
  request text,
  answer_headers text,
  reasons text,
  constraint hook_attempts_pkey PRIMARY KEY (id),
  constraint hook_attempts_record_id_fkey FOREIGN KEY (record_id) REFERENCES hook_events(id) ON DELETE CASCADE
);

create table hook_deliveries (
  record_id uuid not null,
  hook_id uuid not null,
  sequence bigint not null,
  bytes integer not null,
  tries integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  claim uuid,
  constraint hook_deliveries_pkey PRIMARY KEY (record_id),
  constraint hook_deliveries_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES hooks(id) ON DELETE CASCADE,
  constraint hook_deliveries_record_id_fkey FOREIGN KEY (record_id) REFERENCES hook_events(id) ON DELETE CASCADE
);

create table hook_events (
  id uuid not null,
  event_id uuid not null,
  hook_id uuid not null,
  company_id uuid not null,
  mode text not null,
  resource text not null,
  action text not null,
  delivered boolean not null default false,
  attempts integer not null default 0,
  delivery_error text,
  error_status integer,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  about_name text,
  reasons text,
  constraint hook_events_pkey PRIMARY KEY (id),
  constraint hook_events_event_id_hook_id_key UNIQUE (event_id, hook_id),
  constraint hook_events_event_id_fkey FOREIGN KEY (event_id) REFERENCES outbox(id) ON DELETE CASCADE,
  constraint hook_events_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES hooks(id) ON DELETE CASCADE
);

create table hooks (
  id uuid not null,
  company_id uuid not null,
  name text,
  description text,
  connection_url text not null,
  content_type text not null,
  status text not null,
  enable_ssl boolean not null,
  ordered boolean not null,
  mode text not null,
  scopes text not null,
  listens text[] not null,
  header_names text[] not null,
  encrypted_headers bytea not null,
  encrypted_secret bytea,
  encrypted_previous_secret bytea,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  warned_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  notify_email text,
  constraint hooks_pkey PRIMARY KEY (id),
  constraint hooks_content_type_check CHECK ((content_type = ANY (ARRAY['application/json'::text, 'application/x-www-form-urlencoded'::text]))),
  constraint hooks_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text, 'all'::text]))),
  constraint hooks_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
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

create table identities (
  id uuid not null,
  wallet_id uuid not null,
  company_id uuid not null,
  mode text not null,
  coin_type integer not null,
  account integer not null,
  change integer not null,
  index integer not null,
  public_key text not null,
  did text not null,
  status text not null,
  publication_id uuid,
  notarized_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  revoked_since timestamp with time zone,
  name text,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_mode_public_key_key UNIQUE (mode, public_key),
  constraint identities_wallet_id_coin_type_account_change_index_key UNIQUE (wallet_id, coin_type, account, change, index),
  constraint identities_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint identities_publication_id_fkey FOREIGN KEY (publication_id) REFERENCES transactions(id) ON DELETE SET NULL,
  constraint identities_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE,
  constraint identities_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint identities_revoked_check CHECK (((status = 'revoked'::text) = (revoked_since IS NOT NULL))),
  constraint identities_status_check CHECK ((status = ANY (ARRAY['valid'::text, 'obsolete'::text, 'revoked'::text])))
);

create table inbox (
  id uuid not null,
  company_id uuid not null,
  mode text not null,
  source text not null,
  certificate_id uuid,
  file_name text,
  file_hash text,
  hash text,
  pdf_hash text,
  summary text not null default '{}'::text,
  number text not null default ''::text,
  supplier text not null default ''::text,
  heats text[] not null default '{}'::text[],
  words text not null default ''::text,
  state text not null default 'new'::text,
  decision_id uuid,
  against text,
  advice text,
  verdict text,
  issuer text,
  changed text,
  checked text,
  unchecked text,
  findings integer not null default 0,
  asked_at timestamp with time zone,
  alarm text,
  alarmed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  order_key text,
  item_key text,
  amounts text,
  ordered text,
  constraint inbox_pkey PRIMARY KEY (id),
  constraint inbox_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates(id) ON DELETE SET NULL,
  constraint inbox_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint inbox_advice_check CHECK ((advice = ANY (ARRAY['doNotAccept'::text, 'look'::text, 'meetsEverything'::text]))),
  constraint inbox_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint inbox_source_check CHECK ((source = ANY (ARRAY['notarized'::text, 'filed'::text]))),
  constraint inbox_state_check CHECK ((state = ANY (ARRAY['new'::text, 'accepted'::text, 'acceptedWithConcession'::text, 'rejected'::text, 'archived'::text])))
);

create table inbox_answers (
  inbox_id uuid not null,
  verification text not null,
  lines text not null,
  findings text not null,
  constraint inbox_answers_pkey PRIMARY KEY (inbox_id),
  constraint inbox_answers_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES inbox(id) ON DELETE CASCADE
);

create table inbox_decisions (
  id uuid not null,
  inbox_id uuid not null,
  decision text not null,
  reason text,
  decided_by text not null,
  decided_at timestamp with time zone not null,
  verdict text,
  checked text,
  ordered text,
  constraint inbox_decisions_pkey PRIMARY KEY (id),
  constraint inbox_decisions_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES inbox(id) ON DELETE CASCADE,
  constraint inbox_decisions_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'acceptedWithConcession'::text, 'rejected'::text, 'archived'::text, 'undone'::text])))
);

create table inbox_files (
  inbox_id uuid not null,
  body bytea,
  pdf bytea,
  constraint inbox_files_pkey PRIMARY KEY (inbox_id),
  constraint inbox_files_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES inbox(id) ON DELETE CASCADE
);

create table installation (
  single boolean not null default true,
  id uuid not null,
  files text not null,
  marked boolean not null default false,
  constraint installation_pkey PRIMARY KEY (single),
  constraint installation_single_check CHECK (single)
);

create table invitation_links (
  token_hash bytea not null,
  invitation_id uuid not null,
  constraint invitation_links_pkey PRIMARY KEY (token_hash),
  constraint invitation_links_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE CASCADE
);

create table invitations (
  id uuid not null,
  company_id uuid not null,
  address text not null,
  role text not null,
  inviter_id uuid not null,
  inviter_username text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  duty text,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint invitations_check CHECK (((accepted_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint invitations_duty_check CHECK ((duty = ANY (ARRAY['clerk'::text, 'approver'::text]))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'read_only'::text])))
);

create table key_revocations (
  identity_id uuid not null,
  transaction text not null,
  transaction_id text not null,
  recorded_at timestamp with time zone,
  created_at timestamp with time zone not null,
  revoked_before timestamp with time zone,
  constraint key_revocations_pkey PRIMARY KEY (transaction_id),
  constraint key_revocations_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id) ON DELETE CASCADE
);

create table ledger_blocks (
  mode text not null,
  height bigint not null,
  first_index bigint not null,
  entry_count integer not null,
  committed_at timestamp with time zone not null,
  constraint ledger_blocks_pkey PRIMARY KEY (mode, height),
  constraint ledger_blocks_entry_count_check CHECK ((entry_count > 0))
);

create table ledger_confirmations (
  mode text not null,
  size bigint not null,
  confirmed_at timestamp with time zone not null,
  confirmed_by text[] not null,
  constraint ledger_confirmations_pkey PRIMARY KEY (mode, size)
);

create table ledger_corrections (
  mode text not null,
  index bigint not null,
  subject text not null,
  constraint ledger_corrections_pkey PRIMARY KEY (mode, index)
);

create table ledger_entries (
  mode text not null,
  index bigint not null,
  height bigint not null,
  id bytea not null,
  bundle_offset integer not null,
  bundle_bytes integer not null,
  operation text not null,
  asset_id bytea not null,
  json_hash bytea,
  pdf_hash bytea,
  asset_words text[] not null,
  metadata_words text[] not null,
  constraint ledger_entries_pkey PRIMARY KEY (mode, index)
);

create table ledger_logs (
  mode text not null,
  origin text not null,
  public_key bytea not null,
  encrypted_key bytea not null,
  created_at timestamp with time zone not null,
  operator_public_key bytea,
  encrypted_operator_key bytea,
  accepted_time timestamp with time zone,
  accepted_newest_time timestamp with time zone,
  constraint ledger_logs_pkey PRIMARY KEY (mode),
  constraint ledger_logs_check CHECK (((operator_public_key IS NULL) = (encrypted_operator_key IS NULL))),
  constraint ledger_logs_check1 CHECK (((accepted_time IS NULL) = (accepted_newest_time IS NULL))),
  constraint ledger_logs_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint ledger_logs_operator_public_key_check CHECK ((length(operator_public_key) = 32)),
  constraint ledger_logs_public_key_check CHECK ((length(public_key) = 32))
);

create table ledger_nodes (
  id uuid not null,
  name text not null,
  coin_type integer not null,
  mode text not null,
  connection_url text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint ledger_nodes_pkey PRIMARY KEY (id),
  constraint ledger_nodes_coin_type_fkey FOREIGN KEY (coin_type) REFERENCES coin_types(bip44_id),
  constraint ledger_nodes_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint ledger_nodes_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

create table ledger_outputs (
  mode text not null,
  index bigint not null,
  output_index integer not null,
  public_keys text[] not null,
  spent_by bigint,
  constraint ledger_outputs_pkey PRIMARY KEY (mode, index, output_index)
);

create table ledger_submissions (
  id uuid not null,
  mode text not null,
  transaction bytea not null,
  created_at timestamp with time zone not null,
  outcome jsonb,
  constraint ledger_submissions_pkey PRIMARY KEY (id)
);

create table log_holders (
  mode text not null,
  name text not null,
  since timestamp with time zone not null,
  size bigint not null,
  signed_at timestamp with time zone not null,
  constraint log_holders_pkey PRIMARY KEY (mode, name)
);

create table log_mentions (
  "position" bigint not null generated always as identity,
  mode text not null,
  subject text not null,
  kind text not null,
  transaction_id bytea not null,
  constraint log_mentions_pkey PRIMARY KEY ("position"),
  constraint log_mentions_kind_check CHECK ((kind = ANY (ARRAY['certificate'::text, 'identity'::text, 'review'::text, 'correction'::text]))),
  constraint log_mentions_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table log_reviews (
  mode text not null,
  public_key text not null,
  log text not null,
  review_id uuid not null,
  publication_id text not null,
  transaction_id text not null,
  recorded_at timestamp with time zone not null,
  ended_by text,
  constraint log_reviews_pkey PRIMARY KEY (mode, public_key, log, review_id),
  constraint log_reviews_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table log_watches (
  mode text not null,
  next_index bigint not null,
  constraint log_watches_pkey PRIMARY KEY (mode),
  constraint log_watches_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table lost_quorums (
  mode text not null,
  lost_at timestamp with time zone not null,
  reported_at timestamp with time zone,
  constraint lost_quorums_pkey PRIMARY KEY (mode)
);

create table mail_attempts (
  id uuid not null,
  mail_id uuid not null,
  started_at timestamp with time zone not null,
  duration_ms integer not null,
  error text,
  reasons text,
  constraint mail_attempts_pkey PRIMARY KEY (id),
  constraint mail_attempts_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES mails(id) ON DELETE CASCADE
);

create table mail_bounces (
  report_id text not null,
  company_id uuid,
  address text not null,
  bounced_at timestamp with time zone not null,
  is_hard boolean not null,
  is_lifted boolean not null default false,
  constraint mail_bounces_pkey PRIMARY KEY (report_id),
  constraint mail_bounces_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table mail_hooks (
  id uuid not null,
  company_id uuid not null,
  description text,
  status text not null,
  mode text not null,
  scopes text not null,
  listens text[] not null,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint mail_hooks_pkey PRIMARY KEY (id),
  constraint mail_hooks_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text, 'all'::text]))),
  constraint mail_hooks_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

create table mail_orders (
  event_id uuid not null,
  mail_hook_id uuid not null,
  constraint mail_orders_pkey PRIMARY KEY (event_id, mail_hook_id),
  constraint mail_orders_event_id_fkey FOREIGN KEY (event_id) REFERENCES outbox(id) ON DELETE CASCADE,
  constraint mail_orders_mail_hook_id_fkey FOREIGN KEY (mail_hook_id) REFERENCES mail_hooks(id) ON DELETE CASCADE
);

create table mail_quotas (
  company_id uuid not null,
  day date not null,
  admitted integer not null,
  notified boolean not null default false,
  constraint mail_quotas_pkey PRIMARY KEY (company_id, day),
  constraint mail_quotas_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table mail_recipients (
  id uuid not null,
  company_id uuid not null,
  address text not null,
  token_hash bytea not null,
  encrypted_token bytea not null,
  created_at timestamp with time zone not null,
  constraint mail_recipients_pkey PRIMARY KEY (id),
  constraint mail_recipients_company_id_address_key UNIQUE (company_id, address),
  constraint mail_recipients_token_hash_key UNIQUE (token_hash),
  constraint mail_recipients_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table mail_reports (
  mail_id uuid not null,
  report_id text not null,
  constraint mail_reports_pkey PRIMARY KEY (mail_id, report_id),
  constraint mail_reports_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES mails(id) ON DELETE CASCADE
);

create table mail_suppressions (
  id uuid not null,
  company_id uuid,
  address text not null,
  reason text not null,
  detail text,
  created_at timestamp with time zone not null,
  constraint mail_suppressions_pkey PRIMARY KEY (id),
  constraint mail_suppressions_company_id_address_reason_key UNIQUE NULLS NOT DISTINCT (company_id, address, reason),
  constraint mail_suppressions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint mail_suppressions_reason_check CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'hard_bounce'::text, 'soft_bounces'::text])))
);

create table mails (
  id uuid not null,
  event_id uuid not null,
  mail_hook_id uuid not null,
  company_id uuid not null,
  mode text not null,
  resource text not null,
  action text not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  text_content text not null,
  html_content text not null,
  attachment_name text not null,
  delivered boolean not null default false,
  attempts integer not null default 0,
  delivery_error text,
  error_status text,
  tries integer not null default 0,
  next_attempt_at timestamp with time zone,
  claim uuid,
  reported_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  reasons text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_event_id_mail_hook_id_recipient_key UNIQUE (event_id, mail_hook_id, recipient),
  constraint mails_event_id_fkey FOREIGN KEY (event_id) REFERENCES outbox(id) ON DELETE CASCADE,
  constraint mails_mail_hook_id_fkey FOREIGN KEY (mail_hook_id) REFERENCES mail_hooks(id) ON DELETE CASCADE
);

create table mfa_factors (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  encrypted_secret bytea not null,
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
  encrypted_payload bytea not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint oidc_records_pkey PRIMARY KEY (id_hash)
);

create table oidc_secrets (
  name text not null,
  encrypted_value bytea not null,
  created_at timestamp with time zone not null,
  constraint oidc_secrets_pkey PRIMARY KEY (name)
);

create table order_lines (
  id uuid not null,
  company_id uuid not null,
  order_key text not null,
  item_key text not null,
  hash text not null,
  content jsonb not null,
  in_use boolean not null,
  created_at timestamp with time zone not null,
  constraint order_lines_pkey PRIMARY KEY (id),
  constraint order_lines_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
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
  dispatched_at timestamp with time zone,
  published_at timestamp with time zone,
  about_id uuid,
  about_name text,
  "position" bigint,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint outbox_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['user'::text, 'company'::text])))
);

create unlogged table passkey_challenges (
  purpose text not null,
  bound_to text not null,
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (purpose, bound_to),
  constraint passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['create'::text, 'sign_in'::text])))
);

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table past_notarizations (
  mode text not null,
  transaction_id text not null,
  constraint past_notarizations_pkey PRIMARY KEY (mode, transaction_id)
);

create unlogged table rate_limits (
  client text not null,
  bucket text not null,
  window_start timestamp with time zone not null,
  calls integer not null,
  constraint rate_limits_pkey PRIMARY KEY (client, bucket)
);

create table read_blocks (
  direction text not null,
  next_block bigint not null,
  constraint read_blocks_pkey PRIMARY KEY (direction),
  constraint read_blocks_direction_check CHECK ((direction = ANY (ARRAY['issued'::text, 'received'::text])))
);

create table received_texts (
  certificate_id uuid not null,
  company_id uuid not null,
  mode text not null,
  place bigint not null generated always as identity,
  words text not null,
  constraint received_texts_pkey PRIMARY KEY (certificate_id, company_id),
  constraint received_texts_certificate_id_company_id_fkey FOREIGN KEY (certificate_id, company_id) REFERENCES certificate_receivers(certificate_id, company_id) ON DELETE CASCADE,
  constraint received_texts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

create table recovery_code_sets (
  user_id uuid not null,
  failures integer not null default 0,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint recovery_code_sets_pkey PRIMARY KEY (user_id),
  constraint recovery_code_sets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES recovery_code_sets(user_id) ON DELETE CASCADE
);

create table requirement_rules (
  company_id uuid not null,
  rules text not null,
  changed_at timestamp with time zone not null,
  constraint requirement_rules_pkey PRIMARY KEY (company_id),
  constraint requirement_rules_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table requirements (
  id uuid not null,
  company_id uuid not null,
  name text not null,
  hash text not null,
  content jsonb not null,
  in_use boolean not null,
  created_at timestamp with time zone not null,
  constraint requirements_pkey PRIMARY KEY (id),
  constraint requirements_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);

create table retention_times (
  kind text not null,
  "time" timestamp with time zone not null,
  runs_behind integer not null default 0,
  constraint retention_times_pkey PRIMARY KEY (kind)
);

create table revocation_reports (
  transaction_id text not null,
  reported_to uuid,
  finished_at timestamp with time zone,
  constraint revocation_reports_pkey PRIMARY KEY (transaction_id)
);

create table samples (
  kind text not null,
  pdf bytea not null,
  hash text,
  transaction_id text,
  transactions json not null,
  recorded_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint samples_pkey PRIMARY KEY (kind),
  constraint samples_check CHECK (((hash IS NULL) = (transaction_id IS NULL))),
  constraint samples_kind_check CHECK ((kind = ANY (ARRAY['genuine'::text, 'changed'::text, 'withdrawn'::text])))
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
  amr text[] not null,
  factor_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_refresh_token_hash_key UNIQUE (refresh_token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sign_in_attempts (
  subject text not null,
  network text not null,
  failures integer not null,
  failed_at timestamp with time zone,
  locked_until timestamp with time zone,
  succeeded_at timestamp with time zone,
  constraint sign_in_attempts_pkey PRIMARY KEY (subject, network)
);

create table signing_keys (
  id text not null,
  public_jwk text not null,
  encrypted_private_jwk bytea not null,
  created_at timestamp with time zone not null,
  constraint signing_keys_pkey PRIMARY KEY (id)
);

create table stored_files (
  name text collate "C" not null,
  part bigint not null default 0,
  bytes bytea not null,
  constraint stored_files_pkey PRIMARY KEY (name, part),
  constraint stored_files_part_check CHECK ((part >= 0))
);

create table transaction_identities (
  identity_id uuid not null,
  transaction_id uuid not null,
  constraint transaction_identities_pkey PRIMARY KEY (identity_id, transaction_id),
  constraint transaction_identities_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id) ON DELETE CASCADE,
  constraint transaction_identities_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id) ON DELETE CASCADE
);

create table transactions (
  id uuid not null,
  company_id uuid not null,
  mode text not null,
  coin_type integer not null,
  type text not null,
  ledger_id text not null,
  fulfillments text[] not null,
  draft text,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  kind text not null,
  subject text,
  constraint transactions_pkey PRIMARY KEY (id),
  constraint transactions_company_id_mode_ledger_id_key UNIQUE (company_id, mode, ledger_id),
  constraint transactions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint transactions_kind_check CHECK ((kind = ANY (ARRAY['certificate'::text, 'identity'::text, 'review'::text, 'withdrawal'::text, 'replacement'::text, 'revocation'::text, 'other'::text]))),
  constraint transactions_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint transactions_type_check CHECK ((type = ANY (ARRAY['transparent'::text, 'opaque'::text, 'stealth'::text])))
);

create table used_recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  constraint used_recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint used_recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES recovery_code_sets(user_id) ON DELETE CASCADE
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
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['confirm_email'::text, 'confirm_new_email'::text, 'reset_password'::text, 'unlock_sign_in'::text])))
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
  language text,
  username_skeleton text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text]))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

create table wallets (
  id uuid not null,
  company_id uuid not null,
  mode text not null,
  name text not null,
  language text not null,
  encrypted_root bytea,
  backed_up_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_company_id_mode_key UNIQUE (company_id, mode),
  constraint wallets_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
  constraint wallets_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text])))
);

CREATE INDEX access_tokens_company_id_idx ON public.access_tokens USING btree (company_id);

CREATE INDEX applications_company_id_idx ON public.applications USING btree (company_id);

CREATE INDEX audit_log_action ON public.audit_log USING btree (action, id);

CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor, id);

CREATE INDEX audit_log_company ON public.audit_log USING btree (company_id, id);

CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, id);

CREATE INDEX broker_messages_arrived ON public.broker_messages USING btree (sequence) WHERE ("position" IS NULL);

CREATE INDEX broker_queue_place ON public.broker_queue USING btree (place);

CREATE INDEX certificate_links_certificate ON public.certificate_links USING btree (certificate_id);

CREATE INDEX certificate_receivers_family ON public.certificate_receivers USING btree (company_id, mode, family, recorded_at, certificate_id);

CREATE INDEX certificate_receivers_identity ON public.certificate_receivers USING btree (company_id, mode, identity_id, recorded_at, certificate_id);

CREATE INDEX certificate_receivers_number ON public.certificate_receivers USING btree (company_id, mode, number COLLATE "C", certificate_id);

CREATE INDEX certificate_receivers_party ON public.certificate_receivers USING btree (company_id, mode, party COLLATE "C", certificate_id);

CREATE INDEX certificate_receivers_recorded ON public.certificate_receivers USING btree (company_id, mode, recorded_at, certificate_id);

CREATE INDEX certificate_texts_block ON public.certificate_texts USING brin (place) WITH (pages_per_range='16', autosummarize='on');

CREATE INDEX certificate_texts_keys ON public.certificate_texts USING gin (text_keys(place, ((company_id)::text || mode), text_grams(words))) WITH (fastupdate=off);

CREATE INDEX certificate_texts_place ON public.certificate_texts USING btree (company_id, mode, place);

CREATE INDEX certificates_awaiting ON public.certificates USING btree (mode, awaits_entry) WHERE (awaits_entry IS NOT NULL);

CREATE INDEX certificates_company_id_idx ON public.certificates USING btree (company_id, mode, id);

CREATE INDEX certificates_due ON public.certificates USING btree (company_id, mode, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX certificates_failed ON public.certificates USING btree (updated_at, id) WHERE ((state = 'failed'::text) AND (body IS NOT NULL));

CREATE INDEX certificates_family ON public.certificates USING btree (company_id, mode, family, id);

CREATE UNIQUE INDEX certificates_first_notarization ON public.certificates USING btree (mode, hash) WHERE ((state <> 'failed'::text) AND (NOT own));

CREATE INDEX certificates_hash ON public.certificates USING btree (hash COLLATE "C");

CREATE INDEX certificates_identity ON public.certificates USING btree (company_id, mode, identity_id, id);

CREATE INDEX certificates_number ON public.certificates USING btree (company_id, mode, sort_key(((summary)::json ->> 'identifier'::text)) COLLATE "C", id);

CREATE UNIQUE INDEX certificates_one_notarization ON public.certificates USING btree (mode, hash) WHERE (state <> 'failed'::text);

CREATE UNIQUE INDEX certificates_own_notarization ON public.certificates USING btree (mode, hash, company_id) WHERE ((state <> 'failed'::text) AND own);

CREATE INDEX certificates_party ON public.certificates USING btree (company_id, mode, sort_key(((summary)::json ->> 'buyerName'::text)) COLLATE "C", id);

CREATE INDEX certificates_pdf_hash ON public.certificates USING btree (pdf_hash COLLATE "C") WHERE (pdf_hash IS NOT NULL);

CREATE INDEX certificates_recorded ON public.certificates USING btree (company_id, mode, recorded_at, id) WHERE (recorded_at IS NOT NULL);

CREATE INDEX certificates_retention ON public.certificates USING btree (retained_until) WHERE (body IS NOT NULL);

CREATE INDEX certificates_state ON public.certificates USING btree (company_id, mode, state, id);

CREATE INDEX certificates_waiting ON public.certificates USING btree (company_id, mode, id) WHERE awaits_release;

CREATE INDEX companies_name_key ON public.companies USING btree (name_key) WHERE (verified_at IS NOT NULL);

CREATE INDEX companies_owner_id_idx ON public.companies USING btree (owner_id);

CREATE INDEX companies_unverified ON public.companies USING btree (id) WHERE (verified_at IS NULL);

CREATE UNIQUE INDEX companies_vat_id_key ON public.companies USING btree (vat_id);

CREATE INDEX company_mails_about ON public.company_mails USING btree (about);

CREATE INDEX company_mails_created ON public.company_mails USING btree (created_at);

CREATE INDEX company_mails_refused ON public.company_mails USING btree (created_at) WHERE (refusal IS NOT NULL);

CREATE INDEX company_mails_waiting ON public.company_mails USING btree (created_at) WHERE ((held_back IS NULL) AND (refusal IS NULL) AND (sent_at IS NULL));

CREATE INDEX company_members_user_id_idx ON public.company_members USING btree (user_id);

CREATE INDEX company_reviews_company_id_idx ON public.company_reviews USING btree (company_id, created_at);

CREATE INDEX company_reviews_name_key ON public.company_reviews USING btree (name_key) WHERE (decision = 'verified'::text);

CREATE INDEX console_sign_ins_expires_at_idx ON public.console_sign_ins USING btree (expires_at);

CREATE INDEX customers_name ON public.customers USING btree (company_id, sort_key(name) COLLATE "C", id);

CREATE INDEX hook_attempts_record ON public.hook_attempts USING btree (record_id, id);

CREATE INDEX hook_deliveries_claimed ON public.hook_deliveries USING btree (hook_id) WHERE (claim IS NOT NULL);

CREATE INDEX hook_deliveries_due ON public.hook_deliveries USING btree (hook_id, next_attempt_at, sequence);

CREATE INDEX hook_deliveries_order ON public.hook_deliveries USING btree (hook_id, sequence);

CREATE INDEX hook_events_company ON public.hook_events USING btree (company_id, id);

CREATE INDEX hook_events_hook ON public.hook_events USING btree (hook_id, id);

CREATE INDEX hook_events_kind ON public.hook_events USING btree (hook_id, resource, action, id);

CREATE INDEX hook_events_open ON public.hook_events USING btree (hook_id, id) WHERE (NOT delivered);

CREATE INDEX hook_events_words ON public.hook_events USING gin (company_words(company_id, about_name)) WHERE (about_name IS NOT NULL);

CREATE INDEX hooks_company ON public.hooks USING btree (company_id, id);

CREATE INDEX hooks_failing ON public.hooks USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND (ended_at IS NULL));

CREATE INDEX idempotency_age ON public.idempotency USING btree (created_at);

CREATE INDEX identities_company_idx ON public.identities USING btree (company_id, mode, id);

CREATE INDEX identities_public_idx ON public.identities USING btree (mode, id) WHERE (notarized_at IS NOT NULL);

CREATE INDEX inbox_advice ON public.inbox USING btree (company_id, mode, advice, id DESC) WHERE (state = 'new'::text);

CREATE INDEX inbox_alarms ON public.inbox USING btree (company_id, mode, id DESC) WHERE (alarm IS NOT NULL);

CREATE INDEX inbox_asked ON public.inbox USING btree (asked_at) WHERE (state = ANY (ARRAY['new'::text, 'accepted'::text, 'acceptedWithConcession'::text]));

CREATE UNIQUE INDEX inbox_certificate ON public.inbox USING btree (certificate_id, company_id) WHERE (certificate_id IS NOT NULL);

CREATE UNIQUE INDEX inbox_file ON public.inbox USING btree (company_id, mode, file_hash) WHERE (file_hash IS NOT NULL);

CREATE INDEX inbox_hash ON public.inbox USING btree (hash, mode) WHERE (hash IS NOT NULL);

CREATE INDEX inbox_heats ON public.inbox USING gin (heats);

CREATE INDEX inbox_list ON public.inbox USING btree (company_id, mode, id DESC);

CREATE INDEX inbox_number ON public.inbox USING btree (company_id, mode, number, id DESC);

CREATE INDEX inbox_order ON public.inbox USING btree (company_id, mode, order_key) WHERE (order_key IS NOT NULL);

CREATE INDEX inbox_pdf_hash ON public.inbox USING btree (pdf_hash, mode) WHERE (pdf_hash IS NOT NULL);

CREATE INDEX inbox_state ON public.inbox USING btree (company_id, mode, state, id DESC);

CREATE INDEX inbox_supplier ON public.inbox USING btree (company_id, mode, supplier, id DESC);

CREATE INDEX inbox_supplier_state ON public.inbox USING btree (company_id, mode, supplier, state, id DESC);

CREATE INDEX inbox_unanswered ON public.inbox USING btree (id) WHERE (asked_at IS NULL);

CREATE INDEX inbox_words ON public.inbox USING gin (text_grams(words));

CREATE INDEX inbox_decisions_of ON public.inbox_decisions USING btree (inbox_id, id DESC);

CREATE INDEX invitation_links_invitation ON public.invitation_links USING btree (invitation_id);

CREATE INDEX invitations_company ON public.invitations USING btree (company_id, id);

CREATE INDEX invitations_created ON public.invitations USING btree (created_at);

CREATE INDEX key_revocations_identity ON public.key_revocations USING btree (identity_id);

CREATE INDEX ledger_corrections_subject ON public.ledger_corrections USING btree (mode, subject, index);

CREATE INDEX ledger_entries_asset_words ON public.ledger_entries USING gin (asset_words);

CREATE UNIQUE INDEX ledger_entries_id ON public.ledger_entries USING btree (id, mode);

CREATE INDEX ledger_entries_json_hash ON public.ledger_entries USING btree (json_hash, mode, index) WHERE (json_hash IS NOT NULL);

CREATE INDEX ledger_entries_metadata_words ON public.ledger_entries USING gin (metadata_words);

CREATE INDEX ledger_entries_pdf_hash ON public.ledger_entries USING btree (pdf_hash, mode, index) WHERE (pdf_hash IS NOT NULL);

CREATE INDEX ledger_entries_transfers ON public.ledger_entries USING btree (asset_id, mode, index) WHERE (operation = 'TRANSFER'::text);

CREATE UNIQUE INDEX ledger_nodes_active_idx ON public.ledger_nodes USING btree (mode, coin_type) WHERE (status = 'active'::text);

CREATE INDEX ledger_outputs_public_keys ON public.ledger_outputs USING gin (public_keys);

CREATE INDEX ledger_outputs_spent_by ON public.ledger_outputs USING btree (mode, spent_by) WHERE (spent_by IS NOT NULL);

CREATE INDEX ledger_submissions_waiting ON public.ledger_submissions USING btree (mode, created_at) WHERE (outcome IS NULL);

CREATE INDEX log_mentions_subject ON public.log_mentions USING btree (mode, subject, "position");

CREATE INDEX mail_attempts_mail ON public.mail_attempts USING btree (mail_id, id);

CREATE INDEX mail_bounces_address ON public.mail_bounces USING btree (address, company_id);

CREATE INDEX mail_hooks_company ON public.mail_hooks USING btree (company_id, id);

CREATE INDEX mail_orders_hook ON public.mail_orders USING btree (mail_hook_id);

CREATE INDEX mail_suppressions_address ON public.mail_suppressions USING btree (address);

CREATE INDEX mails_company ON public.mails USING btree (company_id, id);

CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

CREATE INDEX mails_failed ON public.mails USING btree (updated_at) WHERE ((NOT delivered) AND (delivery_error IS NOT NULL) AND (attempts > 0));

CREATE INDEX mails_hook ON public.mails USING btree (mail_hook_id, id);

CREATE INDEX mails_open ON public.mails USING btree (company_id, id) WHERE (NOT delivered);

CREATE INDEX mails_words ON public.mails USING gin (company_words(company_id, ((recipient || ' '::text) || subject)));

CREATE INDEX mfa_factors_user_id_idx ON public.mfa_factors USING btree (user_id);

CREATE INDEX oidc_records_expires_at_idx ON public.oidc_records USING btree (expires_at);

CREATE INDEX oidc_records_grant_hash_idx ON public.oidc_records USING btree (grant_hash) WHERE (grant_hash IS NOT NULL);

CREATE INDEX oidc_records_uid_hash_idx ON public.oidc_records USING btree (uid_hash) WHERE (uid_hash IS NOT NULL);

CREATE UNIQUE INDEX order_lines_hash ON public.order_lines USING btree (company_id, hash);

CREATE UNIQUE INDEX order_lines_item ON public.order_lines USING btree (company_id, order_key, item_key) WHERE in_use;

CREATE INDEX order_lines_list ON public.order_lines USING btree (company_id, id DESC) WHERE in_use;

CREATE INDEX outbox_about ON public.outbox USING btree (about_id) WHERE (about_id IS NOT NULL);

CREATE INDEX outbox_age ON public.outbox USING btree (occurred_at);

CREATE UNIQUE INDEX outbox_owner_order ON public.outbox USING btree (owner_kind, owner_id, sequence);

CREATE INDEX outbox_positions ON public.outbox USING btree (owner_id, "position") WHERE ("position" > 0);

CREATE INDEX outbox_undispatched ON public.outbox USING btree (owner_id, sequence) WHERE (dispatched_at IS NULL);

CREATE INDEX outbox_unpublished ON public.outbox USING btree (owner_id, sequence) WHERE (published_at IS NULL);

CREATE INDEX outbox_without_position ON public.outbox USING btree (sequence) WHERE ((dispatched_at IS NOT NULL) AND ("position" IS NULL));

CREATE INDEX passkeys_user_id_idx ON public.passkeys USING btree (user_id);

CREATE INDEX received_texts_block ON public.received_texts USING brin (place) WITH (pages_per_range='16', autosummarize='on');

CREATE INDEX received_texts_keys ON public.received_texts USING gin (text_keys(place, ((company_id)::text || mode), text_grams(words))) WITH (fastupdate=off);

CREATE INDEX received_texts_place ON public.received_texts USING btree (company_id, mode, place);

CREATE UNIQUE INDEX requirements_hash ON public.requirements USING btree (company_id, hash);

CREATE INDEX requirements_list ON public.requirements USING btree (company_id, id DESC) WHERE in_use;

CREATE UNIQUE INDEX requirements_name ON public.requirements USING btree (company_id, name) WHERE in_use;

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);

CREATE INDEX transaction_identities_transaction_idx ON public.transaction_identities USING btree (transaction_id);

CREATE INDEX transactions_page_idx ON public.transactions USING btree (company_id, mode, id);

CREATE INDEX transactions_rare_idx ON public.transactions USING btree (company_id, mode, kind, id) WHERE (kind <> 'certificate'::text);

CREATE INDEX transactions_subject_idx ON public.transactions USING btree (company_id, mode, subject, id) WHERE (subject IS NOT NULL);

CREATE INDEX user_issuers_user_id_idx ON public.user_issuers USING btree (user_id);

CREATE INDEX user_links_user_id_idx ON public.user_links USING btree (user_id);

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower(username));

CREATE UNIQUE INDEX users_username_skeleton ON public.users USING btree (username_skeleton);

CREATE OR REPLACE FUNCTION public.audit_entry_hash(entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select sha256(convert_to(audit_entry_text(entry), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.audit_entry_text(entry audit_log)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select json_build_array(entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor, entry.action, entry.subject, entry.company_id, entry.ip_address, entry.details)::text
$function$;

CREATE OR REPLACE FUNCTION public.await_chain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_waiting select id from added;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.begin_after_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.logged_in_at := greatest(new.logged_in_at,
    (select sessions_valid_from + interval '1 millisecond' from users where id = new.user_id));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.company_name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  with looks as (
    select replace(replace(replace(replace(
      -- Greek letters whose small forms look like other Latin letters count as capitals; all other capitals that are left, as small ones.
      name_skeleton(translate(name_skeleton(translate(normalize(name, nfkd), 'ςηνυζμ', 'σΗΝΥΖΜ')),
        'БГДЖЗИЛПФЦЧШЩЪЫЭЮЯЄЂЋЉЊЏÆŒẞ' || 'ΓΔΘΛΞΠΣΦΨΩ', 'бгджзилпфцчшщъыэюяєђћљњџæœß' || 'γδθλξπσφψω')),
      'i', 'l'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') as text
  ), words as (
    select word, place,
      word = any (string_to_array(replace(
        'gmbh mbh ag kg kgaa ohg gbr se ug ev eg ek co and und et y e ltd limited plc llc llp lp inc incorporated corp '
        || 'corporation company sa sas sarl sasu spa srl snc sl slu bv nv vof cv ab as asa aps oy oyj kft zrt nyrt rt sp z oo zoo '
        || 'sro doo dd ad ood eood ead jsc pjsc ojsc ooo oao pao ao tov pte pty pvt kk lda ltda sti nao зao', 'i', 'l'), ' ')) as is_form
    from looks, regexp_split_to_table(
      -- S. p. A. and S.p.A. as SpA
      regexp_replace(regexp_replace(text, '(?<![a-z])([a-z])\. +(?=[a-z]\.)', '\1', 'g'), '[.''`\u00b4\u2018\u2019\u02bc]', '', 'g'),
      '[\u0001- !-/:-@\[-`{-\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u3000-\u303f]+') with ordinality as w (word, place)
    where word <> ''
  ), telling as (
    select string_agg(word, '' order by place) as text from words
    where not is_form or not exists (select from words where not is_form)
  )
  select coalesce(replace(replace(regexp_replace(text, '([aou])e+', '\1', 'g'), 'rn', 'm'), 'vv', 'w'), name) from telling
$function$;

CREATE OR REPLACE FUNCTION public.company_query(company uuid, words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg(quote_literal(company || '/' || word) || ':*', ' & ')::tsquery
  from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
  where word <> ''
$function$;

CREATE OR REPLACE FUNCTION public.company_words(company uuid, words text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_to_tsvector(array(
    select company || '/' || word
    from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
    where word <> ''
  ))
$function$;

CREATE OR REPLACE FUNCTION public.end_begun_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.sessions_valid_from is distinct from old.sessions_valid_from then
    new.sessions_valid_from := greatest(new.sessions_valid_from, old.sessions_valid_from,
      (select max(logged_in_at) from sessions where user_id = new.id));
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.inbox_id(received_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
AS $function$
  select (lpad(to_hex((extract(epoch from received_at) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 3) || '8' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 15))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.keep_notarization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into past_notarizations (mode, transaction_id) values (old.mode, old.transaction_id) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.name_skeleton(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select replace(replace(lower(translate(
    regexp_replace(normalize(name, nfkd), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]', '', 'g'),
    -- Latin and digits
    '01|IıɩøØłŁđĐħĦŧŦƒɑɡ'
    -- Cyrillic, small and capital
    || 'авеікмнорстухѕјһԁԛԝӏгпьѵүғ' || 'АВЕІКМНОРСТУХЅЈҺԀԚԜӀЬѴҮҒ'
    -- Greek, small and capital
    || 'αβγεηικνορςσυτχω' || 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
    -- Armenian
    || 'օսոհցզյլգք',
    'ollliiooLLdDhHtTfag'
    || 'abeikmhopctyxsjhdqwlrnbvyf' || 'ABElKMHOPCTYXSJHDQWlbVYF'
    || 'abyenikvopcoutxw' || 'ABEZHlKMNOPTYX'
    || 'ounhgqjlqp')
    collate "C"), 'rn', 'm'), 'vv', 'w')
$function$;

CREATE OR REPLACE FUNCTION public.notify_notarization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('millseal_notarizations', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.receive_certificates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into inbox (id, company_id, mode, source, certificate_id, hash, pdf_hash, summary, created_at)
  select inbox_id(r.recorded_at), r.company_id, r.mode, 'notarized', c.id, c.hash, c.pdf_hash, c.summary, r.recorded_at
  from received r join certificates c on c.id = r.certificate_id
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_to_remove_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from removed r where not exists (
      select from audit_chain c where c.entry_id = r.id and c.position <= (select max(position) from audit_archives)
    )
  ) then
    raise exception 'audit_log is append-only';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_to_remove_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from removed where position > coalesce((select max(position) from audit_archives), 0)) then
    raise exception 'audit_chain is append-only';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_name_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.name_key := company_name_key(to_jsonb(new) ->> tg_argv[0]);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_username_skeleton()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' or new.username is distinct from old.username then
    new.username_skeleton := name_skeleton(new.username);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.sort_key(sorted text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  key text;
begin
  if sorted is null then
    return '~';
  end if;
  key := btrim(lower(regexp_replace(normalize(sorted, nfkd), '[\u0300-\u036f]', '', 'g')));
  if key = '' then
    return '~';
  end if;
  if key ~ '[0-9]' then
    select string_agg(case when part[1] ~ '^[0-9]' then lpad(part[1], greatest(length(part[1]), 12), '0') else part[1] end, '' order by at)
    into key from regexp_matches(key, '[0-9]+|[^0-9]+', 'g') with ordinality as t (part, at);
  end if;
  return left(key, 200);
end $function$;

CREATE OR REPLACE FUNCTION public.tell_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('millseal_outbox', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.tell_of_holder()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('millseal_holders', tg_argv[0] || ':' || (to_jsonb(old) ->> tg_argv[1]));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.tell_of_memberships()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('millseal_holders', 'company:' || company_id) from company_members where user_id = old.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.text_grams(words text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL RESTRICTED STRICT COST 100000
AS $function$
declare
  grams text[] := '{}';
  word text;
begin
  foreach word in array string_to_array(words, ' ') loop
    grams := grams || (' ' || left(word, 1));
    for at in 1 .. length(word) - 1 loop
      grams := grams || substr(' ' || word, at, 3);
    end loop;
  end loop;
  return grams;
end $function$;

CREATE OR REPLACE FUNCTION public.text_keys(place bigint, scope text, grams text[])
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL RESTRICTED STRICT COST 1000
AS $function$
  select array_agg((((place >> 12) & 511) << 32) | (hashtextextended(scope || gram, 0) & 4294967295))
  from unnest(grams) as gram
$function$;

CREATE TRIGGER access_tokens_holder AFTER DELETE OR UPDATE ON public.access_tokens FOR EACH ROW EXECUTE FUNCTION tell_of_holder('accesstoken', 'id');

CREATE TRIGGER applications_holder AFTER DELETE OR UPDATE OF token_id, previous_token_id, scopes, mode ON public.applications FOR EACH ROW EXECUTE FUNCTION tell_of_holder('application', 'id');

CREATE TRIGGER audit_archives_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_archives FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_chain_archived AFTER DELETE ON public.audit_chain REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_remove_links();

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_log_archived AFTER DELETE ON public.audit_log REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_remove_entries();

CREATE TRIGGER audit_log_waiting AFTER INSERT ON public.audit_log REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_chain();

CREATE TRIGGER certificates_received AFTER INSERT ON public.certificate_receivers REFERENCING NEW TABLE AS received FOR EACH STATEMENT EXECUTE FUNCTION receive_certificates();

CREATE TRIGGER certificates_kept AFTER DELETE ON public.certificates FOR EACH ROW WHEN ((old.transaction_id IS NOT NULL)) EXECUTE FUNCTION keep_notarization();

CREATE TRIGGER certificates_notify AFTER INSERT ON public.certificates FOR EACH STATEMENT EXECUTE FUNCTION notify_notarization();

CREATE TRIGGER companies_name_key BEFORE INSERT OR UPDATE OF name ON public.companies FOR EACH ROW EXECUTE FUNCTION set_name_key('name');

CREATE TRIGGER company_members_holder AFTER DELETE ON public.company_members FOR EACH ROW EXECUTE FUNCTION tell_of_holder('company', 'company_id');

CREATE TRIGGER company_reviews_name_key BEFORE INSERT OR UPDATE OF company_name ON public.company_reviews FOR EACH ROW EXECUTE FUNCTION set_name_key('company_name');

CREATE TRIGGER outbox_news AFTER INSERT ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION tell_of_events();

CREATE TRIGGER sessions_holder AFTER DELETE ON public.sessions FOR EACH ROW EXECUTE FUNCTION tell_of_holder('user', 'user_id');

CREATE TRIGGER sessions_order BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION begin_after_ended_sessions();

CREATE TRIGGER users_holder AFTER DELETE OR UPDATE OF status, sessions_valid_from, kept_session_id ON public.users FOR EACH ROW EXECUTE FUNCTION tell_of_holder('user', 'id');

CREATE TRIGGER users_memberships AFTER UPDATE OF status ON public.users FOR EACH ROW EXECUTE FUNCTION tell_of_memberships();

CREATE TRIGGER users_sessions_order BEFORE UPDATE OF sessions_valid_from ON public.users FOR EACH ROW EXECUTE FUNCTION end_begun_sessions();

CREATE TRIGGER users_username_skeleton BEFORE INSERT OR UPDATE OF username ON public.users FOR EACH ROW EXECUTE FUNCTION set_username_skeleton();

comment on column applications.secret_hash is 'SHA-256: the secret has 256 random bits';
comment on column applications.scopes is 'JSON: the scope object as the contract spells it';
comment on column applications.token_id is 'The one valid access token; null after the secret was rotated';
comment on column applications.previous_token_id is 'The previous access token, valid until it expires: other holders of the secret may still use it';
comment on column applications.last_used_at is 'When it last made a call, to the hour';

comment on table audit_archives is 'Ends of the parts of the audit log that are in files and no longer here; rows are never changed or deleted';
comment on column audit_archives."position" is 'Of the last entry in the file; everything up to it may be removed';
comment on column audit_archives.hash is 'Of the chain at this position';
comment on column audit_archives.transaction_id is 'Of the head on the live log that has this position';

comment on table audit_chain is 'A hash chain over the audit log; rows are never changed or deleted. docs/audit.md says how the hashes are made';
comment on column audit_chain.entry_hash is 'Of the entry when it was chained';
comment on column audit_chain.hash is 'Of the hash before it, entry_hash, position and chained_at';

comment on table audit_heads is 'Heads of the chain that the live log has: every day one';

comment on table audit_log is 'Sensitive actions, written in the transaction that does them; rows are never changed or deleted';
comment on column audit_log.details is 'JSON without secrets';

comment on table audit_waiting is 'Entries that are not in the chain yet; restoring a backup can list an entry twice, or one that is in the chain';

comment on table broker_messages is 'Published messages, until the last session that needs one has received it';
comment on column broker_messages.id is 'The id of the event';
comment on column broker_messages."position" is 'The order of delivery, assigned by the one process that routes; null until then';

comment on table broker_queue is 'Messages that a session has not acknowledged yet';
comment on column broker_queue.place is 'Twice the position of the message; one more where its topic has * as mode';

comment on table broker_sessions is 'Sessions of clients that connect with clean = false';
comment on column broker_sessions.hears is 'Topic filters: what the token of the last connection may receive';
comment on column broker_sessions.disconnected_at is 'Null while connected; the session ends 30 minutes later';
comment on column broker_sessions.sent_up_to is 'Messages up to this place were sent before; sent again, they are marked as repeated';

comment on table broker_vhost is 'The name before the id in a username; generated once if no setting provides it';

comment on column certificate_corrections.transaction_id is 'Null until the ledger has recorded it; every attempt builds the same transaction';
comment on column certificate_corrections.wanted_by is 'For the audit log, which has it once the correction is recorded';
comment on column certificate_corrections.error is 'Why the ledger has it not and never will';

comment on table certificate_links is 'Mailed links to files that are too large for a mail; valid until the body is erased';

comment on table certificate_quotas is 'The number of certificates of a company that were accepted on a day (UTC), in both modes';
comment on column certificate_quotas.slot is 'Chosen at random for each certificate; the number of the day is the sum of all slots';

comment on table certificate_receivers is 'The companies that were told of a notarized certificate, with what their list of received certificates is filtered by';
comment on column certificate_receivers.company_id is 'The receiver';
comment on column certificate_receivers.identity_id is 'Of the issuer';
comment on column certificate_receivers.number is 'sort_key of the number; ~ once the body of the certificate is erased';
comment on column certificate_receivers.party is 'sort_key of the seller; ~ once the body of the certificate is erased';

comment on table certificate_texts is 'What a search by text finds; erased with the body of the certificate';
comment on column certificate_texts.place is 'The order of acceptance; 4096 consecutive places are a block';
comment on column certificate_texts.words is 'Letters and digits without case and accents, with a space between words';

comment on column certificates.hash is 'SHA-256 of the canonical JSON, hex';
comment on column certificates.body is 'Byte for byte as received; null after the retention';
comment on column certificates.pdf_hash is 'SHA-256 of the PDF, which is rendered once and stored before it is recorded';
comment on column certificates.summary is 'JSON: who sold what to whom, as verifications show it';
comment on column certificates.next_attempt_at is 'When a worker may claim the notarization: when it is due, or when the lease of its worker ends; null once it has ended';
comment on column certificates.family is 'The family of the schema that it was checked with: en10168, coa, …';
comment on column certificates.accepted_by is 'user:<id>, application:<id> or accesstoken:<id>';
comment on column certificates.rendered_at is 'Null for certificates of earlier releases';
comment on column certificates.ended_at is 'When it was notarized or failed; null for certificates of earlier releases';
comment on column certificates.own is 'Recorded although another company was first, because the certificate names this one as its seller';
comment on column certificates.awaits_release is 'Accepted, but not due before a second person releases it';
comment on column certificates.release is 'The decision about a certificate that waited; null if it never waited, or waits';
comment on column certificates.release_by is 'user:<id>, or service if nobody decided in time';
comment on column certificates.replaces is 'The certificate that it was submitted to replace; without a reference, so that adding the column reads no row';
comment on column certificates.awaits_entry is 'The index of its entry in the log while it waits for a quorum of cosigners, which makes it notarized';
comment on column certificates.seal is 'Who sealed its PDF, as JSON; null if nobody did';

comment on table common_grams is 'Which certificates of a block of certificate_texts or received_texts may have a gram that many of them have; erased with the last text of the company in the block';

comment on column companies.name_key is 'The name as readers confuse it: company_name_key(name)';
comment on column companies.four_eyes is 'Whose certificates wait for a release: nobody''s, those that people submit, or those of machines as well';

comment on table company_looks is 'How certificates of a company look';
comment on column company_looks.receiver is 'The VAT id or mail domain of the receiver; empty for all receivers';
comment on column company_looks.settings is 'LookSettingsDto as JSON';

comment on table company_mails is 'One per subject and address, also of those that are not sent; the mails of mail hooks are in mails';
comment on column company_mails.id is 'Also the Message-ID, the same at every attempt';
comment on column company_mails.about is 'The certificate, correction, transaction or webhook that the mail is about';
comment on column company_mails.held_back is 'Why the mail is not sent';
comment on column company_mails.refusal is 'Why the mail server refused it for good';
comment on column company_mails.again is 'Zero for the first mail; one more each time somebody sends it again';
comment on column company_mails.is_saved is 'Written to a file instead of sent, because the service had no mail server';

comment on column company_members.is_added is 'Added by an admin: did not found the company, and accepted no invitation';
comment on column company_members.duty is 'What a member is whose role is operator, if it is more than that';

comment on column company_reviews.evidence is 'JSON: what was known about the VAT id at the decision; the log has its hash';
comment on column company_reviews.company_name is 'When it was reviewed';
comment on column company_reviews.since is 'Of a rejection: since when earlier reviews do not count. Null: since it was made';
comment on column company_reviews.revoke_keys is 'Of a rejection: whether all keys of the company are revoked with it';
comment on column company_reviews.name_key is 'The reviewed name as readers confuse it: company_name_key(company_name)';

comment on table console_sessions is 'The cookie of a session that was started in a browser';
comment on column console_sessions.authenticated_at is 'When the person last proved who they are; null if the issuer does not say';

comment on table console_sign_ins is 'Browsers that are being sent to the issuer and back';
comment on column console_sign_ins.id_hash is 'SHA-256 of the cookie, from which state, nonce and PKCE verifier are derived';
comment on column console_sign_ins.vouched_user_id is 'The user that the issuer confirmed, while we still ask for a code';

comment on table customers is 'The customers that a company keeps for its certificates: personal data, deleted on request';
comment on column customers.language is 'Of its certificates, ISO 639-1';
comment on column customers.words is 'What a search by text finds';

comment on table daily_quotas is 'How much a company used on a day (UTC) of what is limited per day, in both modes';
comment on column daily_quotas.company_id is 'Whose number it is: a company, a person, or a VAT id as a UUID of version 8';
comment on column daily_quotas.slot is 'Chosen at random for each transaction; the number of the day is the sum of all slots';
comment on column daily_quotas.is_refused is 'Whether something was refused on this day, so that its admins are told once';

comment on table delivery_quotas is 'The number of webhook deliveries of a company that were admitted on a day (UTC), in both modes';

comment on table foreign_name_mails is 'On which days a company was told that an entry names its VAT id: once a day at most';

comment on column hook_attempts.answer is 'The first bytes of the receiver''s answer';
comment on column hook_attempts.request is 'JSON: the address, and the headers by name; credentials and signatures are masked';
comment on column hook_attempts.answer_headers is 'JSON: known headers of the answer by name';

comment on table hook_deliveries is 'Pending deliveries; a row is deleted when its event was delivered or given up';
comment on column hook_deliveries.bytes is 'Size of the payload: it limits how many are in memory at once';
comment on column hook_deliveries.tries is 'Attempts of the current schedule; a retry by hand starts a new one';
comment on column hook_deliveries.next_attempt_at is 'While claimed: when the lease of the worker ends';
comment on column hook_deliveries.claim is 'The worker that is attempting it; a result counts only under the same claim';

comment on table hook_events is 'One row per event and listening webhook; kept as long as the event in the outbox';
comment on column hook_events.about_name is 'That of the event: here, the index has the company too';

comment on table hooks is 'Webhooks of companies';
comment on column hooks.company_id is 'Not a foreign key: the last event of a deleted company is still delivered';
comment on column hooks.scopes is 'JSON as in the API';
comment on column hooks.listens is 'The topics that the scopes select: <mode>/<resource>/<action>';
comment on column hooks.encrypted_headers is 'JSON of names and values, encrypted with the master key: a value may be a credential';
comment on column hooks.encrypted_secret is 'The key of the signatures; null: the requests are not signed';
comment on column hooks.previous_secret_until is 'Until then requests are also signed with the previous secret';
comment on column hooks.failing_since is 'The first failed attempt since the last successful one';
comment on column hooks.warned_at is 'When the company was notified that it fails';
comment on column hooks.ended_at is 'When the company was deleted: pending deliveries continue, no new ones start';
comment on column hooks.notify_email is 'An address that gets the notices about this webhook besides the admins of the company';

comment on table idempotency is 'The answer to each call with an Idempotency-Key, sent again when the call is repeated';
comment on column idempotency.key_hash is 'SHA-256 of the key as the client sent it';
comment on column idempotency.fingerprint is 'SHA-256 of the request: the same key with another request is refused';
comment on column idempotency.status is 'HTTP status of the answer';
comment on column idempotency.answer is 'Body of the answer; null if it has none';

comment on column identities.publication_id is 'The transaction that publishes it, signed before it is sent, so that the same one is sent again after a crash';
comment on column identities.notarized_at is 'When it was published; never unset';
comment on column identities.name is 'What the company calls it; published nowhere';

comment on table inbox is 'What a company received: filed by it, or notarized for it';
comment on column inbox.certificate_id is 'Set if the certificate names the company as receiver';
comment on column inbox.file_hash is 'SHA-256 of the bytes that were filed, hex';
comment on column inbox.hash is 'SHA-256 of the canonical JSON, hex; null for a PDF without data';
comment on column inbox.summary is 'What the list shows of the certificate, as JSON';
comment on column inbox.number is 'Lower case, for filters; so are supplier and heats';
comment on column inbox.words is 'What a search by text finds';
comment on column inbox.decision_id is 'The decision that made the state';
comment on column inbox.against is 'The requirement that somebody chose: its name or hash';
comment on column inbox.advice is 'The worst of the three answers; null until it was answered';
comment on column inbox.changed is 'What differs from a certificate with this number that was notarized for the company, as JSON';
comment on column inbox.checked is 'The check without its lines, as JSON';
comment on column inbox.asked_at is 'When it was answered last';
comment on column inbox.alarm is 'The verdict that something accepted has later; null while it is valid';
comment on column inbox.order_key is 'The order that the certificate names, as it is compared; item_key is that of its item';
comment on column inbox.amounts is 'How much was delivered, as the certificate says it, as JSON';
comment on column inbox.ordered is 'The comparison with the order line without its lines, as JSON';

comment on table inbox_answers is 'The answers in full, as JSON';

comment on table inbox_decisions is 'Never changed: a decision is undone by another one';
comment on column inbox_decisions.checked is 'What it was made with: the check without its lines, as JSON';
comment on column inbox_decisions.ordered is 'The order line that it was made with, as JSON';

comment on table inbox_files is 'What was received, as long as the receiver keeps it, whatever the issuer deletes';

comment on table installation is 'One row, made at the first start: the id, which is also among the files, and where those are';
comment on column installation.marked is 'Whether the id is among the files, so that files without it are others';

comment on table invitation_links is 'One per attempt to send the mail; only the SHA-256 of the token is stored';

comment on column invitations.address is 'In lower case';
comment on column invitations.duty is 'As in company_members';

comment on column key_revocations.transaction is 'Signed before it is sent, so that every attempt sends the same one';
comment on column key_revocations.recorded_at is 'Null until the ledger has recorded it';
comment on column key_revocations.revoked_before is 'Since when the key was revoked already; null if it was not';

comment on table ledger_confirmations is 'How many entries of a log a quorum of cosigners had confirmed, and when: an entry is confirmed by the first row with more entries than its index';
comment on column ledger_confirmations.confirmed_by is 'The names of the keys that had signed the checkpoint with so many entries';

comment on table ledger_corrections is 'The entries that correct a certificate or a key; rebuilt from the entries on disk, like ledger_entries';

comment on table ledger_entries is 'Index for queries of the log, derived from the entries on disk and rebuilt from them';

comment on table ledger_logs is 'The identity of each embedded log: its name and the key that signs its checkpoints';
comment on column ledger_logs.operator_public_key is 'Signs reviews and corrections of the operator; null until the first start of a release that has it';
comment on column ledger_logs.accepted_time is 'What the clock said when an operator confirmed that it is right';
comment on column ledger_logs.accepted_newest_time is 'The newest time of the log at that moment';

comment on table ledger_nodes is 'Which ledger gets the transactions of a mode and coin type; inactive ones are still queried';
comment on column ledger_nodes.connection_url is '"embedded", or the base URL of a BigchainDB-compatible network';

comment on column ledger_outputs.spent_by is 'Index of the entry that spent it';

comment on table ledger_submissions is 'Transactions that other processes hand to the writer of the log';

comment on table log_holders is 'By the name of its key: since when a cosigner has signed checkpoints of a log, and the newest one that it has signed';

comment on table log_mentions is 'Which entries of the logs name a DID or a VAT id. Follows from the entries';

comment on table log_reviews is 'Reviews of companies that a log has recorded, one per published identity';
comment on column log_reviews.log is 'The origin of the log';
comment on column log_reviews.publication_id is 'The transaction that published the identity';
comment on column log_reviews.ended_by is 'The transaction that says on this log that the review ended';

comment on table log_watches is 'How far each log was searched for entries that name somebody';

comment on table lost_quorums is 'Logs whose checkpoints no quorum of cosigners confirms at present: an operator gets one mail when this lasts, and one when it is over';

comment on table mail_bounces is 'Reports of the mail provider, so that each counts once and temporary failures add up';
comment on column mail_bounces.is_lifted is 'Whether a mail was delivered to the address later';

comment on table mail_hooks is 'Which events a company wants mails about';
comment on column mail_hooks.company_id is 'Not a foreign key: the last event of a deleted company is still mailed';
comment on column mail_hooks.mode is 'The mode that the scopes select: a machine manages only those of its own mode';
comment on column mail_hooks.scopes is 'JSON as in the API';
comment on column mail_hooks.listens is 'The topics that the scopes select: <mode>/<resource>/<action>';
comment on column mail_hooks.ended_at is 'When the company was deleted: pending mails are sent, no new ones are written';

comment on table mail_orders is 'Events whose mails are not written yet; a row is deleted when they are';

comment on table mail_quotas is 'The number of mails that a company was allowed on a day (UTC)';
comment on column mail_quotas.notified is 'Whether the admins were told that the quota is used up';

comment on table mail_recipients is 'The unsubscribe links of the addresses that a company mails';

comment on table mail_reports is 'Reports of the mail provider that were processed, so that each counts once';

comment on table mail_suppressions is 'Addresses that get no more mails';
comment on column mail_suppressions.company_id is 'Null: from no company; a hard bounce then concerns mails about an account';
comment on column mail_suppressions.detail is 'What the mail provider said';

comment on table mails is 'One per event, mail hook and address; kept as long as the event in the outbox, whose payload is attached';
comment on column mails.error_status is 'As the mail provider reports it: an enhanced status code (RFC 3463)';
comment on column mails.tries is 'Attempts of the current schedule; a retry by hand starts a new one';
comment on column mails.next_attempt_at is 'Null: nothing is left to do. While claimed: when the lease of the worker ends';
comment on column mails.claim is 'The worker that is sending it; a result counts only under the same claim';
comment on column mails.reported_at is 'The time of the mail provider''s latest report about the last attempt';

comment on column mfa_factors.last_step is 'The time step of the last accepted code; only later ones are accepted';
comment on column mfa_factors.failures is 'Wrong codes, each within an hour of the one before; the fifth locks the factor for an hour';
comment on column mfa_factors.failed_at is 'The last wrong code';

comment on table oidc_records is 'Sign-ins in progress at the built-in provider: sessions, interactions, grants, codes. Unlogged: after a crash of the database they start again';
comment on column oidc_records.id_hash is 'SHA-256 of the kind and the id, which only the browser has';

comment on table oidc_secrets is 'The signing key of the built-in provider and the client secret of the console, encrypted with the master key';

comment on table order_lines is 'What a company ordered; every version of a line stays, because decisions name its hash';
comment on column order_lines.order_key is 'The number of the order as it is compared; item_key is empty without an item';
comment on column order_lines.hash is 'SHA-256 of the canonical JSON of the content, hex';
comment on column order_lines.in_use is 'The newest version of its order and item, unless it was taken out of use';

comment on table outbox is 'Events, written in the transaction that changes the state they report; pipe delivers them';
comment on column outbox.id is 'The id that every delivery of this event has, on every channel and at every retry';
comment on column outbox.sequence is 'The order of delivery within one owner, among committed rows. Gaps are normal';
comment on column outbox.payload is 'The message exactly as it is sent, so that a retry sends the same bytes';
comment on column outbox.dispatched_at is 'When every listening webhook had its record of the event';
comment on column outbox.published_at is 'When the broker accepted it';
comment on column outbox.about_id is 'The certificate that the event is about';
comment on column outbox.about_name is 'What people call the record that the event is about, if it has a number or a name';
comment on column outbox."position" is 'Its place in the sequence that every reader sees, given when it is dispatched; 0 if it has none';

comment on column passkey_challenges.bound_to is 'SHA-256 of the session that creates a passkey, or of the sign-in that uses one';

comment on column passkeys.counter is 'Signatures so far, by the authenticator itself; 0 if it does not count';
comment on column passkeys.backed_up is 'Whether the provider of the passkey keeps a copy';

comment on table past_notarizations is 'Public entries of the ledger that this service notarized for companies that are deleted';

comment on table rate_limits is 'Calls per client in the current window. Unlogged: after a crash of the database the limits start again';
comment on column rate_limits.bucket is 'What is counted together: an endpoint, or a group of them';

comment on table read_blocks is 'How far the blocks of texts were read for common_grams';

comment on table received_texts is 'certificate_texts for receivers: what their search by text finds; erased with the body of the certificate';
comment on column received_texts.company_id is 'The receiver';
comment on column received_texts.place is 'The order of receipt; 4096 consecutive places are a block';

comment on table recovery_code_sets is 'Counts wrong recovery codes of a person';
comment on column recovery_code_sets.failures is 'Counted as those of mfa_factors';

comment on table recovery_codes is 'The unused ones';

comment on table requirement_rules is 'Which requirement of a company applies to a certificate, if nobody chose one and its order line names none; rules are JSON';

comment on table requirements is 'What a company requires of certificates; every version stays, because decisions name its hash';
comment on column requirements.hash is 'SHA-256 of the canonical JSON of the content, hex';
comment on column requirements.in_use is 'The newest version of its name, unless it was taken out of use';

comment on table retention_times is 'How far each scheduled erasing of old data has come; a run comes at most two hours further';
comment on column retention_times.runs_behind is 'How many runs in a row ended before the present';

comment on table revocation_reports is 'How far the receivers of certificates were told that the key was revoked';
comment on column revocation_reports.transaction_id is 'The transaction of the revocation';
comment on column revocation_reports.reported_to is 'The last certificate whose companies have the event';

comment on table samples is 'The sample certificates of the home page; all of them are made at once, or none';
comment on column samples.hash is 'Of the notarized JSON; null for the changed one, which is not notarized';
comment on column samples.transactions is 'Signed with a key that nobody has kept, in the order in which the test log records them';

comment on column sessions.refresh_token_hash is 'Hash of the newest refresh token; use of an older one ends the session';
comment on column sessions.refresh_family_hash is 'SHA-256 of the part that all refresh tokens of the session share: it distinguishes a used token from an invented one';
comment on column sessions.replaced_token_hash is 'SHA-256 of the previous refresh token';
comment on column sessions.successor_salt is 'With the previous refresh token, gives the newest one; useless without it';
comment on column sessions.amr is 'Authentication methods (RFC 8176): with mfa, two factors';
comment on column sessions.factor_at is 'When the second factor was last used; null if it was not, or the issuer does not say when';

comment on table sign_in_attempts is 'Failed sign-ins by password; rows that say nothing any more are deleted';
comment on column sign_in_attempts.subject is 'user:<id>, or login:<SHA-256> for a name that nobody has, so that both are treated alike';
comment on column sign_in_attempts.network is 'An IPv4 address or an IPv6 /64; * for all together';
comment on column sign_in_attempts.succeeded_at is 'The last sign-in from there: a lock from all networks does not concern it';

comment on table signing_keys is 'Ed25519 keys that sign access tokens; the private half is encrypted with the master key';

comment on table stored_files is 'Files of the installation, by name: the log. A file that is appended to has a part for each time';
comment on column stored_files.part is 'Offset of these bytes in the file';

comment on table transactions is 'What a company signed or sent; the ledger itself is elsewhere';
comment on column transactions.ledger_id is 'Known once it is signed: the id is derived from content and signatures';
comment on column transactions.draft is 'The signed transaction, stored between signing and sending if the service does both';
comment on column transactions.subject is 'The hash of the JSON of a certificate, a DID, or the transaction that this one corrects';

comment on table used_recovery_codes is 'Those of the present set that their owner used';

comment on table user_issuers is 'The subject of a user at an external issuer; the e-mail address is used only for the first sign-in';

comment on table user_links is 'One-time links sent by mail; only the SHA-256 of the token is stored';

comment on column users.new_email is 'Replaces email once its owner has confirmed it';
comment on column users.sessions_valid_from is 'Earlier sessions have ended, except the one that was kept';
comment on column users.language is 'Of mails to this person; null: that of the newest company, or English';
comment on column users.username_skeleton is 'What the username looks like; null if it looked like an older one when this column was added';

comment on column wallets.encrypted_root is 'Seed, and the words until they are backed up, encrypted by the vault for this row; null once the wallet was wiped';
