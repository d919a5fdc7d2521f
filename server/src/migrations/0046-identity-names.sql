alter table identities add column name text;
comment on column identities.name is 'What the company calls it; published nowhere';
