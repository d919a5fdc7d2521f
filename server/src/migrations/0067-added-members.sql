-- An admin can add any registered person to a company. Until the company is verified, it must not thereby get to mail that person.
alter table company_members add column is_added boolean not null default false;
comment on column company_members.is_added is 'Added by an admin: did not found the company, and accepted no invitation';
