alter table users
  add column new_email text,
  add column sessions_valid_from timestamptz,
  add column kept_session_id uuid;

comment on column users.new_email is 'Takes the place of email once its owner confirmed it';
comment on column users.sessions_valid_from is 'Sessions that began earlier have ended, except the one kept';

alter table user_links drop constraint user_links_purpose_check;
alter table user_links
  add column new_email text,
  add constraint user_links_purpose_check check (purpose in ('confirm_email', 'confirm_new_email', 'reset_password'));

comment on column sessions.refresh_token_hash is 'Of the newest refresh token; an older one that comes back ends the session';

create table mfa_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  last_used_at timestamptz,
  failures int not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null
);

comment on column mfa_factors.last_step is 'The time step of the last accepted code; only later ones are accepted';
comment on column mfa_factors.failures is 'Wrong codes since failing_since; five within an hour lock the factor';

create index mfa_factors_user_id_idx on mfa_factors (user_id);

create table recovery_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash text not null,
  failures int not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null
);
