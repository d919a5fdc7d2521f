-- Failed sign-ins, counted per account and network, and per account from all networks together.
create table sign_in_attempts (
  subject text not null,
  network text not null,
  failures int not null,
  failed_at timestamptz,
  locked_until timestamptz,
  succeeded_at timestamptz,
  primary key (subject, network)
);
comment on table sign_in_attempts is 'Failed sign-ins by password; rows that say nothing any more are deleted';
comment on column sign_in_attempts.subject is 'user:<id>, or login:<SHA-256> for a name that nobody has, so that both are treated alike';
comment on column sign_in_attempts.network is 'An IPv4 address or an IPv6 /64; * for all together';
comment on column sign_in_attempts.succeeded_at is 'The last sign-in from there: a lock from all networks does not concern it';
