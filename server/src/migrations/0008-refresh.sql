alter table sessions
  add column refresh_family_hash bytea not null default '',
  add column replaced_token_hash bytea,
  add column successor_salt bytea,
  add column refreshed_at timestamptz;
alter table sessions alter column refresh_family_hash drop default;

comment on column sessions.refresh_family_hash is 'SHA-256 of what all refresh tokens of the session share: tells a used one from an invented one';
comment on column sessions.replaced_token_hash is 'SHA-256 of the refresh token before the newest';
comment on column sessions.successor_salt is 'What made the newest refresh token out of the one before it; useless without that one';
