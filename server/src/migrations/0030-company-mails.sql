-- Which mails a company may send, to whom, and which were not sent.

create table company_mails (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  kind text not null,
  about text not null,
  address text not null,
  held_back text check (held_back in ('test_mode', 'unreviewed', 'unsubscribed', 'bounced', 'quota')),
  refusal text,
  sent_at timestamptz,
  created_at timestamptz not null,
  check (held_back is null or sent_at is null),
  unique (company_id, kind, about, address)
);
create index company_mails_about on company_mails (about);
create index company_mails_created on company_mails (created_at);
comment on table company_mails is 'One per subject and address, also of those that are not sent; the mails of mail hooks are in mails';
comment on column company_mails.id is 'Also the Message-ID, the same at every attempt';
comment on column company_mails.about is 'The certificate, correction, transaction or webhook that the mail is about';
comment on column company_mails.held_back is 'Why the mail is not sent';
comment on column company_mails.refusal is 'Why the mail server refused it for good';

create table mail_quotas (
  company_id uuid not null references companies on delete cascade,
  day date not null,
  admitted int not null,
  notified boolean not null default false,
  primary key (company_id, day)
);
comment on table mail_quotas is 'The number of mails that a company was allowed on a day (UTC)';
comment on column mail_quotas.notified is 'Whether the admins were told that the quota is used up';

create table mail_recipients (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  address text not null,
  token_hash bytea not null unique,
  encrypted_token bytea not null,
  created_at timestamptz not null,
  unique (company_id, address)
);
comment on table mail_recipients is 'The unsubscribe links of the addresses that a company mails';

create table mail_suppressions (
  id uuid primary key,
  company_id uuid references companies on delete cascade,
  address text not null,
  reason text not null check (reason in ('unsubscribed', 'hard_bounce', 'soft_bounces')),
  detail text,
  created_at timestamptz not null,
  unique nulls not distinct (company_id, address, reason)
);
create index mail_suppressions_address on mail_suppressions (address);
comment on table mail_suppressions is 'Addresses that get no more mails';
comment on column mail_suppressions.company_id is 'Null: from no company; a hard bounce then concerns mails about an account';
comment on column mail_suppressions.detail is 'What the mail provider said';

create table mail_bounces (
  report_id text primary key,
  company_id uuid references companies on delete cascade,
  address text not null,
  bounced_at timestamptz not null,
  is_hard boolean not null,
  is_lifted boolean not null default false
);
create index mail_bounces_address on mail_bounces (address, company_id);
comment on table mail_bounces is 'Reports of the mail provider, so that each counts once and temporary failures add up';
comment on column mail_bounces.is_lifted is 'Whether a mail was delivered to the address later';

create table certificate_links (
  token_hash bytea primary key,
  certificate_id uuid not null references certificates on delete cascade,
  created_at timestamptz not null
);
create index certificate_links_certificate on certificate_links (certificate_id);
comment on table certificate_links is 'Mailed links to files that are too large for a mail; valid until the body is erased';
