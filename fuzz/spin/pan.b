	switch (t->back) {
	default: Uerror("bad return move");
	case  0: goto R999; /* nothing to undo */

		 /* CLAIM ends */
;
		;
		
	case 4: // STATE 6
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* CLAIM within */
;
		
	case 5: // STATE 1
		goto R999;

	case 6: // STATE 10
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC :init: */

	case 7: // STATE 1
		;
		now.epoch[0].published = trpt->bup.oval;
		;
		goto R999;

	case 8: // STATE 5
		;
		now.admitted[0] = trpt->bup.ovals[3];
		now.truth = trpt->bup.ovals[2];
		now.epoch[0].v = trpt->bup.ovals[1];
		now.epoch[0].published = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 9: // STATE 9
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 10: // STATE 10
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 11: // STATE 11
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 12: // STATE 12
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;
;
		;
		;
		;
		;
		;
		
	case 16: // STATE 17
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC inserter */

	case 17: // STATE 2
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 18: // STATE 4
		;
		((P2 *)_this)->from = trpt->bup.oval;
		;
		goto R999;

	case 19: // STATE 5
		;
		now.last = trpt->bup.oval;
		;
		goto R999;

	case 20: // STATE 6
		;
		((P2 *)_this)->to = trpt->bup.oval;
		;
		goto R999;

	case 21: // STATE 7
		;
		now.epoch[ Index(((P2 *)_this)->to, 4) ].born = trpt->bup.oval;
		;
		goto R999;

	case 22: // STATE 9
		;
		now.epoch[ Index(((P2 *)_this)->to, 4) ].born = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 24: // STATE 15
		;
		((P2 *)_this)->v = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 26: // STATE 19
		;
		((P2 *)_this)->v = trpt->bup.ovals[2];
		now.epoch[ Index(((P2 *)_this)->from, 4) ].sealed = trpt->bup.ovals[1];
	/* 0 */	((P2 *)_this)->v = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
;
		
	case 27: // STATE 22
		goto R999;

	case 28: // STATE 27
		;
	/* 0 */	((P2 *)_this)->v = trpt->bup.oval;
		;
		;
		goto R999;

	case 29: // STATE 29
		;
		((P2 *)_this)->v = trpt->bup.ovals[1];
		now.epoch[ Index(((P2 *)_this)->from, 4) ].sealed = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 30: // STATE 31
		;
		now.epoch[ Index(((P2 *)_this)->to, 4) ].v = trpt->bup.oval;
		;
		goto R999;

	case 31: // STATE 32
		;
		now.epoch[ Index(((P2 *)_this)->to, 4) ].published = trpt->bup.oval;
		;
		goto R999;

	case 32: // STATE 39
		;
		now.dir = trpt->bup.oval;
		;
		goto R999;

	case 33: // STATE 40
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 34: // STATE 42
		;
		now.done = trpt->bup.oval;
		;
		goto R999;

	case 35: // STATE 43
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC sweeper */

	case 36: // STATE 2
		;
		((P1 *)_this)->sweeps = trpt->bup.oval;
		;
		goto R999;

	case 37: // STATE 3
		;
		((P1 *)_this)->now = trpt->bup.oval;
		;
		goto R999;

	case 38: // STATE 4
		;
		((P1 *)_this)->now = trpt->bup.oval;
		;
		goto R999;

	case 39: // STATE 8
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 40: // STATE 10
		;
		((P1 *)_this)->from = trpt->bup.oval;
		;
		goto R999;

	case 41: // STATE 11
		;
		now.last = trpt->bup.oval;
		;
		goto R999;

	case 42: // STATE 12
		;
		((P1 *)_this)->to = trpt->bup.oval;
		;
		goto R999;

	case 43: // STATE 13
		;
		now.epoch[ Index(((P1 *)_this)->to, 4) ].born = trpt->bup.oval;
		;
		goto R999;

	case 44: // STATE 15
		;
		now.epoch[ Index(((P1 *)_this)->to, 4) ].born = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 46: // STATE 21
		;
		((P1 *)_this)->v = trpt->bup.oval;
		;
		goto R999;

	case 47: // STATE 22
		;
	/* 0 */	((P1 *)_this)->now = trpt->bup.oval;
		;
		;
		goto R999;

	case 48: // STATE 25
		;
		((P1 *)_this)->v = trpt->bup.ovals[2];
		now.epoch[ Index(((P1 *)_this)->from, 4) ].sealed = trpt->bup.ovals[1];
	/* 0 */	((P1 *)_this)->v = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
;
		
	case 49: // STATE 28
		goto R999;

	case 50: // STATE 33
		;
	/* 0 */	((P1 *)_this)->v = trpt->bup.oval;
		;
		;
		goto R999;

	case 51: // STATE 35
		;
		((P1 *)_this)->v = trpt->bup.ovals[1];
		now.epoch[ Index(((P1 *)_this)->from, 4) ].sealed = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 52: // STATE 37
		;
		now.epoch[ Index(((P1 *)_this)->to, 4) ].v = trpt->bup.oval;
		;
		goto R999;

	case 53: // STATE 38
		;
		now.epoch[ Index(((P1 *)_this)->to, 4) ].published = trpt->bup.oval;
		;
		goto R999;

	case 54: // STATE 45
		;
		now.dir = trpt->bup.oval;
		;
		goto R999;

	case 55: // STATE 46
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 56: // STATE 53
		;
		now.done = trpt->bup.oval;
		;
		goto R999;

	case 57: // STATE 54
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC decider */

	case 58: // STATE 3
		;
		((P0 *)_this)->decided = trpt->bup.ovals[1];
		((P0 *)_this)->requests = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 59: // STATE 4
		;
		((P0 *)_this)->now = trpt->bup.oval;
		;
		goto R999;

	case 60: // STATE 5
		;
		((P0 *)_this)->now = trpt->bup.oval;
		;
		goto R999;

	case 61: // STATE 6
		;
		((P0 *)_this)->now = trpt->bup.oval;
		;
		goto R999;

	case 62: // STATE 9
		;
		((P0 *)_this)->e = trpt->bup.oval;
		;
		goto R999;

	case 63: // STATE 10
		;
	/* 0 */	((P0 *)_this)->decided = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 65: // STATE 14
		;
		((P0 *)_this)->v = trpt->bup.oval;
		;
		goto R999;
;
		
	case 66: // STATE 18
		goto R999;

	case 67: // STATE 16
		;
		((P0 *)_this)->v = trpt->bup.oval;
		;
		goto R999;

	case 68: // STATE 20
		;
	/* 0 */	((P0 *)_this)->v = trpt->bup.oval;
		;
		;
		goto R999;

	case 69: // STATE 22
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 70: // STATE 24
		;
		((P0 *)_this)->e = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 72: // STATE 26
		;
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = trpt->bup.oval;
		;
		goto R999;

	case 73: // STATE 27
		;
		now.epoch[ Index(((P0 *)_this)->e, 4) ].published = trpt->bup.oval;
		;
		goto R999;

	case 74: // STATE 32
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 75: // STATE 34
		;
		((P0 *)_this)->decided = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->v = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 77: // STATE 37
		;
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = trpt->bup.oval;
		;
		goto R999;

	case 78: // STATE 45
		;
		((P0 *)_this)->decided = trpt->bup.ovals[2];
		now.truth = trpt->bup.ovals[1];
		now.admitted[ Index(((P0 *)_this)->now, 3) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
;
		
	case 79: // STATE 48
		goto R999;

	case 80: // STATE 52
		;
	/* 0 */	((P0 *)_this)->e = trpt->bup.oval;
		;
		;
		goto R999;

	case 81: // STATE 54
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 82: // STATE 56
		;
		((P0 *)_this)->e = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 84: // STATE 58
		;
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = trpt->bup.oval;
		;
		goto R999;

	case 85: // STATE 59
		;
		now.epoch[ Index(((P0 *)_this)->e, 4) ].published = trpt->bup.oval;
		;
		goto R999;

	case 86: // STATE 64
		;
		now.locked = trpt->bup.oval;
		;
		goto R999;

	case 87: // STATE 73
		;
		now.done = trpt->bup.oval;
		;
		goto R999;

	case 88: // STATE 74
		;
		p_restor(II);
		;
		;
		goto R999;
	}

