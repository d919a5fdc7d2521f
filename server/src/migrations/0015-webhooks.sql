-- Events on their way out: to the broker, and to the webhooks that listen to them.

alter table outbox add column dispatched_at timestamptz, add column published_at timestamptz;

-- Nobody could listen to what was written before there was a way out.
update outbox set dispatched_at = occurred_at, published_at = occurred_at;

create index outbox_undispatched on outbox (sequence) where dispatched_at is null;
create index outbox_unpublished on outbox (sequence) where published_at is null;
create index outbox_age on outbox (occurred_at);

comment on column outbox.sequence is 'The order of delivery within one owner, among the rows that are committed. Gaps are normal.';
comment on column outbox.dispatched_at is 'Since when every hook that listens to the event has its record of it.';
comment on column outbox.published_at is 'Since when the broker has it.';

create function tell_of_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('millseal_outbox', '');
  return null;
end
$$;

create trigger outbox_news after insert on outbox for each statement execute function tell_of_events();

create table hooks (
  id uuid primary key,
  company_id uuid not null,
  name text,
  description text,
  connection_url text not null,
  content_type text not null check (content_type in ('application/json', 'application/x-www-form-urlencoded')),
  status text not null check (status in ('enabled', 'disabled')),
  enable_ssl boolean not null,
  ordered boolean not null,
  mode text not null check (mode in ('test', 'live', 'all')),
  scopes text not null,
  listens text[] not null,
  header_names text[] not null,
  sealed_headers bytea not null,
  sealed_secret bytea,
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  last_failed_at timestamptz,
  warned_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index hooks_company on hooks (company_id, id);

comment on table hooks is 'Webhooks of companies.';
comment on column hooks.company_id is 'Not a foreign key: the last event of a deleted company is still to be delivered.';
comment on column hooks.scopes is 'JSON as the API writes it.';
comment on column hooks.listens is 'What the scopes come to: <mode>/<resource>/<action>, as topics spell them.';
comment on column hooks.sealed_headers is 'JSON of names and values: a value may be a credential.';
comment on column hooks.sealed_secret is 'Keys the signatures; null: the requests are unsigned.';
comment on column hooks.previous_secret_until is 'Until then requests are signed with the secret before, too.';
comment on column hooks.failing_since is 'The first of the failed attempts since the last one that succeeded.';
comment on column hooks.warned_at is 'When the company was told that it is failing.';
comment on column hooks.ended_at is 'When the company was deleted: what is on its way is delivered, nothing is added.';

create table hook_events (
  id uuid primary key,
  event_id uuid not null references outbox (id) on delete cascade,
  hook_id uuid not null references hooks (id) on delete cascade,
  company_id uuid not null,
  mode text not null,
  resource text not null,
  action text not null,
  delivered boolean not null default false,
  attempts int not null default 0,
  delivery_error text,
  error_status int,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (event_id, hook_id)
);

create index hook_events_company on hook_events (company_id, id);
create index hook_events_hook on hook_events (hook_id, id);

comment on table hook_events is 'One row per event and webhook that listens to it; kept as long as the event in the outbox.';

create table hook_deliveries (
  record_id uuid primary key references hook_events (id) on delete cascade,
  hook_id uuid not null references hooks (id) on delete cascade,
  sequence bigint not null,
  bytes int not null,
  tries int not null default 0,
  next_attempt_at timestamptz not null,
  claim uuid
);

create index hook_deliveries_due on hook_deliveries (hook_id, next_attempt_at, sequence);
create index hook_deliveries_order on hook_deliveries (hook_id, sequence);
create index hook_deliveries_claimed on hook_deliveries (hook_id) where claim is not null;

comment on table hook_deliveries is 'What is still to be delivered; a row goes when its event arrived or was given up.';
comment on column hook_deliveries.bytes is 'Size of the payload: how many are in memory at once is bounded.';
comment on column hook_deliveries.tries is 'Attempts since the schedule began; a retry by hand begins it anew.';
comment on column hook_deliveries.next_attempt_at is 'While claimed: when whoever claimed it has lost it.';
comment on column hook_deliveries.claim is 'Who is attempting it; a result counts only under the claim it was made under.';

create table hook_attempts (
  id uuid primary key,
  record_id uuid not null references hook_events (id) on delete cascade,
  started_at timestamptz not null,
  duration_ms int not null,
  status_code int,
  error text,
  answer bytea
);

create index hook_attempts_record on hook_attempts (record_id, id);

comment on column hook_attempts.answer is 'The first bytes of what the receiver answered.';
