create table certificate_receivers (
  certificate_id uuid not null references certificates on delete cascade,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  identity_id uuid not null,
  family text not null,
  recorded_at timestamptz not null,
  primary key (certificate_id, company_id)
);
comment on table certificate_receivers is 'The companies that were told of a notarized certificate, with what their list of received certificates is filtered by';
comment on column certificate_receivers.company_id is 'The receiver';
comment on column certificate_receivers.identity_id is 'Of the issuer';

insert into certificate_receivers (certificate_id, company_id, mode, identity_id, family, recorded_at)
select c.id, r.id, c.mode, c.identity_id, c.family, c.recorded_at
from certificates c join companies r on r.id = any (c.receiver_ids)
where c.state = 'notarized';
alter table certificates drop column receiver_ids;

create index certificate_receivers_recorded on certificate_receivers (company_id, mode, recorded_at, certificate_id);
create index certificate_receivers_identity on certificate_receivers (company_id, mode, identity_id, recorded_at, certificate_id);
create index certificate_receivers_family on certificate_receivers (company_id, mode, family, recorded_at, certificate_id);

create table received_texts (
  certificate_id uuid not null,
  company_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  place bigint not null generated always as identity,
  words text not null,
  primary key (certificate_id, company_id),
  foreign key (certificate_id, company_id) references certificate_receivers on delete cascade
);
comment on table received_texts is 'certificate_texts for receivers: what their search by text finds; erased with the body of the certificate';
comment on column received_texts.company_id is 'The receiver';
comment on column received_texts.place is 'The order of receipt; 4096 consecutive places are a block';

insert into received_texts (certificate_id, company_id, mode, words)
select r.certificate_id, r.company_id, r.mode, t.words
from certificate_receivers r join certificate_texts t using (certificate_id)
order by r.recorded_at, r.certificate_id;

create index received_texts_place on received_texts (company_id, mode, place);
create index received_texts_keys on received_texts
  using gin (text_keys(place, company_id::text || mode, text_grams(words))) with (fastupdate = off);
