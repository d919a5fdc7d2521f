-- The queue of reviews.
create index companies_unverified on companies (id) where verified_at is null;
