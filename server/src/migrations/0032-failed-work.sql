-- Failed notarizations that are still retained, as operators list them.
create index certificates_failed on certificates (updated_at, id) where state = 'failed' and body is not null;
