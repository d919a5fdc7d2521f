-- Events on their way to people: mail hooks, and the mails they ask for.

create table mail_hooks (
  id uuid primary key,
  company_id uuid not null,
  description text,
  status text not null check (status in ('enabled', 'disabled')),
  mode text not null check (mode in ('test', 'live', 'all')),
  scopes text not null,
  listens text[] not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index mail_hooks_company on mail_hooks (company_id, id);

comment on table mail_hooks is 'Which events a company wants mails of.';
comment on column mail_hooks.company_id is 'Not a foreign key: the last event of a deleted company is still to be mailed.';
comment on column mail_hooks.mode is 'What the scopes come to: a machine deals with those of its own mode.';
comment on column mail_hooks.scopes is 'JSON as the API writes it.';
comment on column mail_hooks.listens is 'What the scopes come to: <mode>/<resource>/<action>, as topics spell them.';
comment on column mail_hooks.ended_at is 'When the company was deleted: what is on its way is sent, nothing is added.';

create table mail_orders (
  event_id uuid not null references outbox (id) on delete cascade,
  mail_hook_id uuid not null references mail_hooks (id) on delete cascade,
  primary key (event_id, mail_hook_id)
);

create index mail_orders_hook on mail_orders (mail_hook_id);

comment on table mail_orders is 'Mails that are still to be written; a row goes when they are.';

create table mails (
  id uuid primary key,
  event_id uuid not null references outbox (id) on delete cascade,
  mail_hook_id uuid not null references mail_hooks (id) on delete cascade,
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
  attempts int not null default 0,
  delivery_error text,
  error_status text,
  tries int not null default 0,
  next_attempt_at timestamptz,
  claim uuid,
  reported_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (event_id, mail_hook_id, recipient)
);

create index mails_company on mails (company_id, id);
create index mails_hook on mails (mail_hook_id, id);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;

comment on table mails is 'One per event, mail hook and address; kept as long as the event in the outbox, whose payload is attached.';
comment on column mails.error_status is 'As the mail provider gives it: an enhanced status code (RFC 3463).';
comment on column mails.tries is 'Attempts since the schedule began; a retry by hand begins it anew.';
comment on column mails.next_attempt_at is 'Null: nothing is left to do. While claimed: when whoever claimed it has lost it.';
comment on column mails.claim is 'Who is sending it; a result counts only under the claim it was made under.';
comment on column mails.reported_at is 'Of when the latest word of the mail provider on the last attempt is.';

create table mail_attempts (
  id uuid primary key,
  mail_id uuid not null references mails (id) on delete cascade,
  started_at timestamptz not null,
  duration_ms int not null,
  error text
);

create index mail_attempts_mail on mail_attempts (mail_id, id);

create table mail_reports (
  mail_id uuid not null references mails (id) on delete cascade,
  report_id text not null,
  primary key (mail_id, report_id)
);

comment on table mail_reports is 'What the mail provider has told already, so that it counts once.';
