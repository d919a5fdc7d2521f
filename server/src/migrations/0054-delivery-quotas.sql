-- How many deliveries of webhooks a company caused on a day, for the limit per day. Webhooks outlive their company until their
-- last event, so there is no foreign key.

create table delivery_quotas (
  company_id uuid not null,
  day date not null,
  admitted int not null,
  primary key (company_id, day)
);
comment on table delivery_quotas is 'The number of webhook deliveries of a company that were admitted on a day (UTC), in both modes';
