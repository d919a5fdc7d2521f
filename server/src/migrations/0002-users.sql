create table users (
  id uuid primary key,
  username text not null,
  email text not null,
  password_hash text not null,
  role text not null default 'USER' check (role in ('USER', 'ADMIN')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  email_confirmed_at timestamptz,
  on_boarded boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table user_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm_email', 'reset_password')),
  expires_at timestamptz not null,
  created_at timestamptz not null
);

comment on table user_links is 'One-time links sent by mail; only the SHA-256 of the token is kept';

create index user_links_user_id_idx on user_links (user_id);
