-- What the embedded MQTT broker must not forget, and how it hears that somebody may no longer listen.

create table broker_vhost (
  only_one boolean primary key default true check (only_one),
  name text not null
);

comment on table broker_vhost is 'The name that precedes the id in a username; made once where no setting gives it.';

create table broker_messages (
  id uuid primary key,
  sequence bigint not null generated always as identity,
  topic text not null,
  payload bytea not null,
  published_at timestamptz not null,
  position bigint unique
);

create index broker_messages_arrived on broker_messages (sequence) where position is null;

comment on table broker_messages is 'Messages from being published until the last session that waits for one has it.';
comment on column broker_messages.id is 'That of the event.';
comment on column broker_messages.position is 'The order of delivery, given by the one process that routes; null until then.';

create table broker_sessions (
  id bigint primary key generated always as identity,
  owner_kind text not null check (owner_kind in ('user', 'company')),
  owner_id uuid not null,
  client_id text not null,
  hears text[] not null,
  disconnected_at timestamptz,
  unique (owner_kind, owner_id, client_id)
);

comment on table broker_sessions is 'Sessions of clients that connect with clean = false.';
comment on column broker_sessions.hears is 'Topic filters: what the token of the last connection may hear.';
comment on column broker_sessions.disconnected_at is 'Null while connected; 30 minutes later the session is over.';

create table broker_subscriptions (
  session_id bigint not null references broker_sessions (id) on delete cascade,
  filter text not null,
  qos smallint not null,
  primary key (session_id, filter)
);

create table broker_queue (
  session_id bigint not null references broker_sessions (id) on delete cascade,
  place bigint not null,
  primary key (session_id, place)
);

create index broker_queue_place on broker_queue (place);

comment on table broker_queue is 'Who still has to acknowledge what.';
comment on column broker_queue.place is 'Twice the position of the message; one more where its topic says * for the mode.';

create function tell_of_holder() returns trigger language plpgsql as $$
begin
  perform pg_notify('millseal_holders', tg_argv[0] || ':' || (to_jsonb(old) ->> tg_argv[1]));
  return null;
end
$$;

create function tell_of_memberships() returns trigger language plpgsql as $$
begin
  perform pg_notify('millseal_holders', 'company:' || company_id) from company_members where user_id = old.id;
  return null;
end
$$;

create trigger applications_holder after update of token_id, previous_token_id, scopes, mode or delete on applications
  for each row execute function tell_of_holder('application', 'id');
create trigger access_tokens_holder after update or delete on access_tokens
  for each row execute function tell_of_holder('accesstoken', 'id');
create trigger sessions_holder after delete on sessions
  for each row execute function tell_of_holder('user', 'user_id');
create trigger users_holder after update of status, sessions_valid_from, kept_session_id or delete on users
  for each row execute function tell_of_holder('user', 'id');
create trigger users_memberships after update of status on users
  for each row execute function tell_of_memberships();
create trigger company_members_holder after delete on company_members
  for each row execute function tell_of_holder('company', 'company_id');
