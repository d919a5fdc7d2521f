-- A company may demand that a second person releases certificates before they are notarized.

alter table companies
  add column four_eyes text not null default 'off'
  constraint companies_four_eyes_check check (four_eyes in ('off', 'people', 'everyone'));
comment on column companies.four_eyes is 'Whose certificates wait for a release: nobody''s, those that people submit, or those of machines as well';

alter table certificates
  add column awaits_release boolean not null default false,
  add column release text constraint certificates_release_check check (release in ('released', 'refused')),
  add column release_by text,
  add column release_at timestamptz;
-- An accepted one that waits is not due.
alter table certificates drop constraint certificates_check1;
comment on column certificates.awaits_release is 'Accepted, but not due before a second person releases it';
comment on column certificates.release is 'The decision about a certificate that waited; null if it never waited, or waits';
comment on column certificates.release_by is 'user:<id>, or service if nobody decided in time';
create index certificates_waiting on certificates (company_id, mode, id) where awaits_release;
