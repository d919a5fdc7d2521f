create table foreign_name_mails (
  company_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  mailed_on date not null,
  primary key (company_id, mode, mailed_on)
);
comment on table foreign_name_mails is 'On which days a company was told that an entry names its VAT id: once a day at most';
