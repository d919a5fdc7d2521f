-- How many certificates a company submitted on a day, for the limit per day.

create table certificate_quotas (
  company_id uuid not null references companies on delete cascade,
  day date not null,
  accepted int not null,
  primary key (company_id, day)
);
comment on table certificate_quotas is 'The number of certificates of a company that were accepted on a day (UTC), in both modes';
