-- Several numbers per company and day, so that certificates accepted at the same time do not wait for one row.

alter table certificate_quotas
  add column slot smallint not null default 0,
  drop constraint certificate_quotas_pkey,
  add primary key (company_id, day, slot);
comment on column certificate_quotas.slot is 'Chosen at random for each certificate; the number of the day is the sum of all slots';
