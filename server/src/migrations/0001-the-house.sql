-- What the plumbing needs before any room moves in.

create table outbox (
  id uuid primary key,
  sequence bigint not null generated always as identity,
  owner_kind text not null check (owner_kind in ('user', 'company')),
  owner_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  resource text not null,
  action text not null,
  payload bytea not null,
  occurred_at timestamptz not null
);

create unique index outbox_owner_order on outbox (owner_kind, owner_id, sequence);

comment on table outbox is 'Events, written in the transaction that changes the state they tell of; pipe delivers them.';
comment on column outbox.id is 'The id that every delivery of this event carries, on every channel and at every retry.';
comment on column outbox.sequence is 'The order of delivery within one owner. Gaps are normal.';
comment on column outbox.payload is 'The message exactly as it is sent, so that a repetition is the same bytes.';

create table idempotency (
  principal text not null,
  operation text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status int,
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (principal, operation, key_hash)
);

create index idempotency_age on idempotency (created_at);

comment on table idempotency is 'The answer to each call that carried an Idempotency-Key, to give again when the call is repeated.';
comment on column idempotency.key_hash is 'SHA-256 of the key as the client sent it.';
comment on column idempotency.fingerprint is 'SHA-256 of the request: the same key with another request is refused.';
comment on column idempotency.status is 'HTTP status of the answer.';
comment on column idempotency.answer is 'Body of the answer; null where it has none.';

create unlogged table rate_limits (
  client text not null,
  bucket text not null,
  window_start timestamptz not null,
  calls int not null,
  primary key (client, bucket)
);

comment on table rate_limits is 'Calls per client in the current window. Unlogged: after a crash of the database everybody starts anew.';
comment on column rate_limits.bucket is 'What is counted together: an endpoint, or a group of them.';
