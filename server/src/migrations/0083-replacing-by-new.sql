alter table certificates add column replaces uuid;
comment on column certificates.replaces is 'The certificate that it was submitted to replace; without a reference, so that adding the column reads no row';

alter table certificate_corrections add column wanted_by text;
alter table certificate_corrections add column ip_address text;
alter table certificate_corrections add column error text;
alter table certificate_corrections add column reasons text;
comment on column certificate_corrections.wanted_by is 'For the audit log, which has it once the correction is recorded';
comment on column certificate_corrections.error is 'Why the ledger has it not and never will';
