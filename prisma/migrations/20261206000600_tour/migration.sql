-- How far a person has come in the tour of the desk: a preference of theirs, which follows them into every browser.

CREATE TABLE review.tours (
  person_id uuid PRIMARY KEY REFERENCES review.people (person_id) ON DELETE NO ACTION ON UPDATE NO ACTION,
  state     text NOT NULL CONSTRAINT tours_state_is_known CHECK (state IN ('RUNNING', 'LEFT', 'DONE')),
  -- Steps that lie behind.
  place     smallint NOT NULL CONSTRAINT tours_place_is_one CHECK (place BETWEEN 0 AND 20)
);

-- Null for whoever has never begun or declined it.
CREATE FUNCTION review.tour_of(p_person_id uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_object('state', state, 'place', place) FROM review.tours WHERE person_id = p_person_id
$$;

CREATE FUNCTION review.keep_tour(p_person_id uuid, p_state text, p_place smallint) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO review.tours (person_id, state, place) VALUES (p_person_id, p_state, p_place)
    ON CONFLICT (person_id) DO UPDATE SET state = excluded.state, place = excluded.place
$$;

REVOKE ALL ON FUNCTION review.tour_of(uuid), review.keep_tour(uuid, text, smallint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION review.tour_of(uuid), review.keep_tour(uuid, text, smallint) TO onceover_app;
