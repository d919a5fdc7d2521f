create table company_looks (
  company_id uuid not null references companies on delete cascade,
  receiver text not null default '',
  settings text not null default '{}',
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  logo bytea,
  updated_at timestamptz not null,
  primary key (company_id, receiver),
  check ((logo is null) = (logo_type is null))
);
comment on table company_looks is 'How certificates of a company look';
comment on column company_looks.receiver is 'The VAT id or mail domain of the receiver; empty for all receivers';
comment on column company_looks.settings is 'LookSettingsDto as JSON';
