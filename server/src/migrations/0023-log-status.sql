alter table ledger_logs
  add column operator_public_key bytea check (length(operator_public_key) = 32),
  add column encrypted_operator_key bytea,
  add column accepted_time timestamptz,
  add column accepted_newest_time timestamptz,
  add check ((operator_public_key is null) = (encrypted_operator_key is null)),
  add check ((accepted_time is null) = (accepted_newest_time is null));

comment on column ledger_logs.operator_public_key is 'Signs reviews and corrections of the operator; null until the first start of a release that has it';
comment on column ledger_logs.accepted_time is 'What the clock said when an operator confirmed that it is right';
comment on column ledger_logs.accepted_newest_time is 'The newest time of the log at that moment';

create table ledger_corrections (
  mode text not null,
  index bigint not null,
  subject text not null,
  primary key (mode, index)
);

create index ledger_corrections_subject on ledger_corrections (mode, subject, index);

comment on table ledger_corrections is 'The entries that correct a certificate or a key; rebuilt from the entries on disk, like ledger_entries';
