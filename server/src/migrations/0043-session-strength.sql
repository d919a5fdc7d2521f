-- How the owner of a session proved who they are.
alter table sessions
  add column amr text[] not null default '{pwd}',
  add column factor_at timestamptz;
comment on column sessions.amr is 'Authentication methods (RFC 8176): with mfa, two factors';
comment on column sessions.factor_at is 'When the second factor was last used; null if it was not, or the issuer does not say when';

-- An authenticator that exists was asked for at every sign-in since it was confirmed.
update sessions s set amr = '{pwd,mfa}', factor_at = s.logged_in_at
where exists (select from mfa_factors f where f.user_id = s.user_id and f.confirmed_at < s.logged_in_at);
alter table sessions alter column amr drop default;
