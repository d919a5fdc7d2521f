alter table certificates add column awaits_entry bigint;
comment on column certificates.awaits_entry is 'The index of its entry in the log while it waits for a quorum of cosigners, which makes it notarized';
create index certificates_awaiting on certificates (mode, awaits_entry) where awaits_entry is not null;
