create table inbox (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  source text not null check (source in ('notarized', 'filed')),
  certificate_id uuid references certificates on delete set null,
  file_name text,
  file_hash text,
  hash text,
  pdf_hash text,
  summary text not null default '{}',
  number text not null default '',
  supplier text not null default '',
  heats text[] not null default '{}',
  words text not null default '',
  state text not null default 'new' check (state in ('new', 'accepted', 'acceptedWithConcession', 'rejected', 'archived')),
  decision_id uuid,
  against text,
  advice text check (advice in ('doNotAccept', 'look', 'meetsEverything')),
  verdict text,
  issuer text,
  changed text,
  checked text,
  unchecked text,
  findings integer not null default 0,
  asked_at timestamptz,
  alarm text,
  alarmed_at timestamptz,
  created_at timestamptz not null
);
comment on table inbox is 'What a company received: filed by it, or notarized for it';
comment on column inbox.certificate_id is 'Set if the certificate names the company as receiver';
comment on column inbox.file_hash is 'SHA-256 of the bytes that were filed, hex';
comment on column inbox.hash is 'SHA-256 of the canonical JSON, hex; null for a PDF without data';
comment on column inbox.summary is 'What the list shows of the certificate, as JSON';
comment on column inbox.number is 'Lower case, for filters; so are supplier and heats';
comment on column inbox.words is 'What a search by text finds';
comment on column inbox.decision_id is 'The decision that made the state';
comment on column inbox.against is 'The requirement that somebody chose: its name or hash';
comment on column inbox.advice is 'The worst of the three answers; null until it was answered';
comment on column inbox.changed is 'What differs from a certificate with this number that was notarized for the company, as JSON';
comment on column inbox.checked is 'The check without its lines, as JSON';
comment on column inbox.asked_at is 'When it was answered last';
comment on column inbox.alarm is 'The verdict that something accepted has later; null while it is valid';

create index inbox_list on inbox (company_id, mode, id desc);
create index inbox_state on inbox (company_id, mode, state, id desc);
create index inbox_advice on inbox (company_id, mode, advice, id desc) where state = 'new';
create index inbox_alarms on inbox (company_id, mode, id desc) where alarm is not null;
create index inbox_number on inbox (company_id, mode, number, id desc);
create index inbox_supplier on inbox (company_id, mode, supplier, id desc);
create index inbox_heats on inbox using gin (heats);
create index inbox_words on inbox using gin (text_grams(words));
create unique index inbox_file on inbox (company_id, mode, file_hash) where file_hash is not null;
create unique index inbox_certificate on inbox (certificate_id, company_id) where certificate_id is not null;
create index inbox_hash on inbox (hash, mode) where hash is not null;
create index inbox_pdf_hash on inbox (pdf_hash, mode) where pdf_hash is not null;
create index inbox_unanswered on inbox (id) where asked_at is null;
create index inbox_asked on inbox (asked_at) where state in ('new', 'accepted', 'acceptedWithConcession');

create table inbox_files (
  inbox_id uuid primary key references inbox on delete cascade,
  body bytea,
  pdf bytea
);
comment on table inbox_files is 'What was received, as long as the receiver keeps it, whatever the issuer deletes';

create table inbox_answers (
  inbox_id uuid primary key references inbox on delete cascade,
  verification text not null,
  lines text not null,
  findings text not null
);
comment on table inbox_answers is 'The answers in full, as JSON';

create table inbox_decisions (
  id uuid primary key,
  inbox_id uuid not null references inbox on delete cascade,
  decision text not null check (decision in ('accepted', 'acceptedWithConcession', 'rejected', 'archived', 'undone')),
  reason text,
  decided_by text not null,
  decided_at timestamptz not null,
  verdict text,
  checked text
);
comment on table inbox_decisions is 'Never changed: a decision is undone by another one';
comment on column inbox_decisions.checked is 'What it was made with: the check without its lines, as JSON';
create index inbox_decisions_of on inbox_decisions (inbox_id, id desc);

create function inbox_id(received_at timestamptz) returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from received_at) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 3) || '8' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 15))::uuid
$$;

-- A trigger, so that what processes of the release before notarize is received too.
create function receive_certificates() returns trigger language plpgsql as $$
begin
  insert into inbox (id, company_id, mode, source, certificate_id, hash, pdf_hash, summary, created_at)
  select inbox_id(r.recorded_at), r.company_id, r.mode, 'notarized', c.id, c.hash, c.pdf_hash, c.summary, r.recorded_at
  from received r join certificates c on c.id = r.certificate_id
  on conflict do nothing;
  return null;
end $$;
create trigger certificates_received after insert on certificate_receivers
  referencing new table as received for each statement execute function receive_certificates();

insert into inbox (id, company_id, mode, source, certificate_id, hash, pdf_hash, summary, created_at)
select inbox_id(r.recorded_at), r.company_id, r.mode, 'notarized', c.id, c.hash, c.pdf_hash, c.summary, r.recorded_at
from certificate_receivers r join certificates c on c.id = r.certificate_id;
